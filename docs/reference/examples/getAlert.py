import pulumi
import pulumi_clouddb as clouddb

alert = clouddb.get_alert(id="alert-errors")
pulumi.export("state", alert.state)
