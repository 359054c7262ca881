import pulumi
import pulumi_clouddb as clouddb

events = clouddb.Service("events", endpoints=[{"protocol": "mysql", "enabled": False}])
pulumi.export("endpoints", events.service_endpoints)
