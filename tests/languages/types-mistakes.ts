/** Mistakes that a type checker may find in a program: `«right|wrong»` in a line of each language. */

export type TypedLanguage = "typescript" | "python" | "go" | "java";

export interface Mistake {
  readonly name: string;
  /** The line in each language that has something of the kind. */
  readonly lines: Readonly<Partial<Record<TypedLanguage, string>>>;
}

/** An argument of a service, in each language. */
function ofService(lines: Readonly<Record<TypedLanguage, string>>): Mistake["lines"] {
  return {
    typescript: `new clouddb.Service("s", { ${lines.typescript} });`,
    python: `clouddb.Service("s", ${lines.python})`,
    go: `clouddb.NewService(ctx, "s", &clouddb.ServiceArgs{${lines.go}})`,
    java: `new Service("s", ServiceArgs.builder().${lines.java}.build());`,
  };
}

/** An argument of the scaling of a service. */
function ofScaling(lines: Readonly<Record<TypedLanguage, string>>): Mistake["lines"] {
  return {
    typescript: `new clouddb.ServiceScaling("s", { ${lines.typescript} });`,
    python: `clouddb.ServiceScaling("s"${lines.python})`,
    go: `clouddb.NewServiceScaling(ctx, "s", &clouddb.ServiceScalingArgs{${lines.go}})`,
    java: `new ServiceScaling("s", ServiceScalingArgs.builder()${lines.java}.build());`,
  };
}

/** An entry of a service's access list. */
function ofEntry(lines: Readonly<Record<TypedLanguage, string>>): Mistake["lines"] {
  return ofService({
    typescript: `ipAccessList: [${lines.typescript}]`,
    python: `ip_access_list=[${lines.python}]`,
    go: `IpAccessList: clouddb.ServiceIpAccessListEntryArray{${lines.go}}`,
    java: `ipAccessList(${lines.java})`,
  });
}

const entryIn = {
  go: (members: string) => `&clouddb.ServiceIpAccessListEntryArgs{${members}}`,
  java: (members: string) => `ServiceIpAccessListEntryArgs.builder()${members}.build()`,
};

export const mistakes: readonly Mistake[] = [
  {
    name: "text as a number",
    lines: ofService({
      typescript: 'numReplicas: «3|"3"»',
      python: 'num_replicas=«3|"3"»',
      go: 'NumReplicas: «pulumi.Int(3)|pulumi.String("3")»',
      java: 'numReplicas(«3|"3"»)',
    }),
  },
  {
    name: "fraction as a whole number",
    lines: ofService({
      typescript: "numReplicas: «3|2.5»",
      python: "num_replicas=«3|2.5»",
      go: "NumReplicas: «pulumi.Int(3)|pulumi.Float64(2.5)»",
      java: "numReplicas(«3|2.5»)",
    }),
  },
  {
    name: "text as a port, three objects deep",
    lines: {
      typescript:
        'new clouddb.Pipe("p", { serviceId: "id", pipeId: "id", source: { postgres: { port: «5432|"5432"» } } });',
      python: 'clouddb.Pipe("p", service_id="id", pipe_id="id", source={"postgres": {"port": «5432|"5432"»}})',
      go: 'clouddb.NewPipe(ctx, "p", &clouddb.PipeArgs{Source: &clouddb.PipeSourceArgs{Postgres: &clouddb.PipeSourcePostgresArgs{Port: «pulumi.Int(5432)|pulumi.String("5432")»}}})',
      java: 'PipeSourceArgs.builder().postgres(PipeSourcePostgresArgs.builder().port(«5432|"5432"»).build()).build();',
    },
  },
  {
    name: "fraction as an amount of bytes",
    lines: {
      typescript:
        'new clouddb.Pipe("p", { serviceId: "id", pipeId: "id", settings: { objectStorageMaxInsertBytes: «10737418240|0.5» } });',
      python:
        'clouddb.Pipe("p", service_id="id", pipe_id="id", settings={"object_storage_max_insert_bytes": «10737418240|0.5»})',
      go: 'clouddb.NewPipe(ctx, "p", &clouddb.PipeArgs{Settings: &clouddb.PipeSettingsArgs{ObjectStorageMaxInsertBytes: «pulumi.Int(10737418240)|pulumi.Float64(0.5)»}})',
      java: "PipeSettingsArgs.builder().objectStorageMaxInsertBytes(«10737418240.0|0.5»).build();",
    },
  },
  {
    name: "number as a text",
    lines: ofService({
      typescript: 'name: «"7"|7»',
      python: 'name=«"7"|7»',
      go: 'Name: «pulumi.String("7")|pulumi.Int(7)»',
      java: 'name(«"7"|7»)',
    }),
  },
  {
    name: "text as true or false",
    lines: ofService({
      typescript: 'idleScaling: «true|"yes"»',
      python: 'idle_scaling=«True|"yes"»',
      go: 'IdleScaling: «pulumi.Bool(true)|pulumi.String("yes")»',
      java: 'idleScaling(«true|"yes"»)',
    }),
  },
  {
    name: "text instead of an object in a list",
    lines: ofEntry({
      typescript: '«{ source: "203.0.113.0/24" }|"203.0.113.0/24"»',
      python: '«{"source": "203.0.113.0/24"}|"203.0.113.0/24"»',
      go: `«${entryIn.go('Source: pulumi.String("203.0.113.0/24")')}|pulumi.String("203.0.113.0/24")»`,
      java: `«${entryIn.java('.source("203.0.113.0/24")')}|"203.0.113.0/24"»`,
    }),
  },
  {
    name: "unknown argument",
    lines: ofService({
      typescript: "«numReplicas|replicas»: 3",
      python: "«num_replicas|replicas»=3",
      go: "«NumReplicas|Replicas»: pulumi.Int(3)",
      java: "«numReplicas|replicas»(3)",
    }),
  },
  {
    name: "unknown member of an object",
    lines: ofEntry({
      typescript: '{ source: "203.0.113.0/24", «description|comment»: "office" }',
      python: '{"source": "203.0.113.0/24", "«description|comment»": "office"}',
      go: entryIn.go('Source: pulumi.String("203.0.113.0/24"), «Description|Comment»: pulumi.String("office")'),
      java: entryIn.java('.source("203.0.113.0/24").«description|comment»("office")'),
    }),
  },
  {
    name: "missing required argument",
    lines: ofScaling({
      typescript: '«serviceId: "id", |»numReplicas: 3',
      python: '«, service_id="id"|», num_replicas=3',
      go: '«ServiceId: pulumi.String("id"), |»NumReplicas: pulumi.Int(3)',
      java: '«.serviceId("id")|».numReplicas(3)',
    }),
  },
  {
    name: "missing required member of an object",
    lines: ofEntry({
      typescript: '{ «source: "203.0.113.0/24", |»description: "office" }',
      python: '{«"source": "203.0.113.0/24", |»"description": "office"}',
      go: entryIn.go('«Source: pulumi.String("203.0.113.0/24"), |»Description: pulumi.String("office")'),
      java: entryIn.java('«.source("203.0.113.0/24")|».description("office")'),
    }),
  },
  {
    name: "missing required argument of a function",
    lines: {
      typescript: 'clouddb.getServiceOutput({ «serviceId: "id"|» });',
      python: 'clouddb.get_service_output(«service_id="id"|»)',
      go: 'clouddb.LookupServiceOutput(ctx, clouddb.LookupServiceOutputArgs{«ServiceId: pulumi.String("id")|»})',
      java: 'ClouddbFunctions.getService(GetServiceArgs.builder()«.serviceId("id")|».build());',
    },
  },
  {
    name: "misspelled output",
    lines: {
      typescript: "service.«createdAt|createdOn»;",
      python: "service.«created_at|created_on»",
      go: "_ = service.«CreatedAt|CreatedOn»",
      java: "service.«createdAt|createdOn»();",
    },
  },
  {
    name: "output that may be absent, as a required argument",
    lines: ofScaling({
      typescript: "serviceId: service.«dataWarehouseId|encryptionRoleId»",
      python: ", service_id=service.«data_warehouse_id|encryption_role_id»",
      go: "ServiceId: service.«DataWarehouseId|EncryptionRoleId»",
      java: ".serviceId(service.«dataWarehouseId|encryptionRoleId»())",
    }),
  },
  {
    name: "output that may be absent, used in `apply`",
    lines: {
      typescript: "service.«createdAt|password».apply((text) => text.trim());",
      python: "service.«created_at|password».apply(lambda text: text.strip())",
      go: "service.«CreatedAt|Password».ApplyT(func(text string) string { return text })",
      java: "service.«createdAt|password»().applyValue(text -> text.trim());",
    },
  },
  {
    name: "output as a plain value",
    lines: {
      typescript: 'fs.readFileSync(«"name"|service.name»);',
      python: 'open(«"name"|service.name»)',
      go: 'os.ReadFile(«"name"|service.Name»)',
      java: 'new java.io.File(«"name"|service.name()»);',
    },
  },
  {
    name: "misspelled member of an enum",
    lines: {
      python: 'clouddb.Service("s", region=clouddb.ServiceRegion.«EU_WEST_1|EU_WEST_3»)',
      go: 'clouddb.NewService(ctx, "s", &clouddb.ServiceArgs{Region: clouddb.«ServiceRegion_EuWest_1|ServiceRegion_EuWest_3»})',
      java: 'new Service("s", ServiceArgs.builder().region(ServiceRegion.«EuWest_1|EuWest_3»).build());',
    },
  },
  {
    name: "text that is not among the listed values",
    lines: ofService({
      typescript: 'region: "eu-west-«1|3»"',
      python: 'region="eu-west-«1|3»"',
      go: 'Region: pulumi.String("eu-west-«1|3»")',
      java: 'region("eu-west-«1|3»")',
    }),
  },
];
