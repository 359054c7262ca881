import pulumi_clouddb as clouddb

analytics = clouddb.Service(
    "analytics",
    ip_access_list=[
        {"source": "203.0.113.0/24", "description": "office"},
        {"source": "198.51.100.7", "description": "build server"},
    ],
)
