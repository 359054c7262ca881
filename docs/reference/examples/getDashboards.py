import pulumi
import pulumi_clouddb as clouddb

all = clouddb.get_dashboards()
pulumi.export("dashboards", all.dashboards)
