import { networkOf } from "pulumi-clouddb-facts";
import { z } from "zod";
import { PUBLIC_KEY } from "../../core/object/encrypted-password";
import { organizationField } from "../../core/object/ids";
import { coded } from "../../errors";
import {
  byId,
  choice,
  type Field,
  fieldsWith,
  flag,
  freeText,
  type ListRules,
  label,
  listOf,
  type Rule,
  record,
  settable,
  text,
  uuid,
  wholeNumber,
} from "../../fields";
import { scalingFields } from "../service-scaling/service-scaling";

const PROVIDERS = ["aws", "gcp", "azure"] as const;
const REGIONS = [
  "ap-northeast-1",
  "ap-south-1",
  "ap-southeast-1",
  "ap-southeast-2",
  "eu-central-1",
  "eu-west-1",
  "eu-west-2",
  "me-central-1",
  "us-east-1",
  "us-east-2",
  "us-west-2",
  "us-east1",
  "us-central1",
  "europe-west4",
  "asia-southeast1",
  "eastus",
  "eastus2",
  "westus3",
  "germanywestcentral",
] as const;
const TIERS = [
  "development",
  "production",
  "dedicated_high_mem",
  "dedicated_high_cpu",
  "dedicated_standard",
  "dedicated_standard_n2d_standard_4",
  "dedicated_standard_n2d_standard_8",
  "dedicated_standard_n2d_standard_32",
  "dedicated_standard_n2d_standard_128",
  "dedicated_standard_n2d_standard_32_16SSD",
  "dedicated_standard_n2d_standard_64_24SSD",
] as const;
const RELEASE_CHANNELS = ["slow", "default", "fast"] as const;
const PROFILES = [
  "v1-default",
  "v1-highmem-xs",
  "v1-highmem-s",
  "v1-highmem-m",
  "v1-highmem-l",
  "v1-highmem-xl",
  "v1-highcpu-s",
  "v1-highcpu-m",
  "v1-highcpu-l",
  "v1-highcpu-xl",
] as const;
const COMPLIANCE_TYPES = ["hipaa", "pci"] as const;

export const NAME_LENGTH = 50;
const NAME = `must consist of letters, digits and whitespace, with at most ${NAME_LENGTH} characters`;

const anyName = label(NAME).max(NAME_LENGTH, NAME);

const totalMemory = wholeNumber({ min: 24, max: 1068, multipleOf: 12 });

interface Endpoint {
  readonly protocol: string;
  readonly enabled: boolean;
}

/** Protocols in a response are enabled. Undeclared protocols stay unchanged. */
const endpointRules: ListRules = {
  key: ({ protocol }: Endpoint) => protocol,
  canonical: ({ protocol, enabled }: Endpoint) => ({ protocol, enabled }),
  send: "changed",
  unmanaged: "keep",
  fromApi: ({ protocol }: Endpoint) => ({ protocol, enabled: true }),
  whenAbsent: ({ protocol }: Endpoint) => ({ protocol, enabled: false }),
};

interface AccessEntry {
  readonly source: string;
  readonly description?: string;
}

const SOURCE = "must be an IPv4 or IPv6 address or a network such as 203.0.113.0/24";

export const accessList = listOf(
  record({
    source: z.string(SOURCE).refine((source) => networkOf(source) !== undefined, SOURCE),
    description: freeText().optional(),
  }),
);

/** Other providers' examples use `0.0.0.0` for everyone. Its effect here depends on the API. */
export const noBareWildcard: Rule = {
  fields: ["ipAccessList"],
  description:
    "A source of 0.0.0.0 or :: without a prefix length causes a warning: it may open the service to everyone.",
  warns: true,
  test({ ipAccessList: list = [] }: { ipAccessList?: readonly AccessEntry[] }) {
    const index = list.findIndex(({ source }) => networkOf(source)?.isWildcard);
    const warning = coded(
      "CDB1020",
      `ipAccessList[${index}].source is the unspecified address (0.0.0.0 or ::),`,
      "which may open the service to everyone; declare 0.0.0.0/0 or ::/0 if that is intended,",
      "otherwise the addresses that need access.",
    );
    return index >= 0 && warning;
  },
};

/** Two spellings of one network are the same entry. */
export const accessListRules: ListRules = {
  key: ({ source }: AccessEntry) => networkOf(source)?.text ?? source,
  canonical: ({ source, description = "" }: AccessEntry) => ({
    source: networkOf(source)?.text ?? source,
    description,
  }),
  send: "addRemove",
  unmanaged: "remove",
  fromImportId: (source): AccessEntry | undefined => (networkOf(source) ? { source } : undefined),
};

export const privateEndpointRules: ListRules = {
  ...byId,
  send: "addRemove",
  unmanaged: "remove",
  fromImportId: (id) => (id === "" ? undefined : id),
};

const field = settable("createService", "updateService");
const updateField = settable("updateService");
const createField = fieldsWith({ onChange: "replace", sentWith: ["createService"] });
const unobservedField = fieldsWith({
  onChange: "update",
  sentWith: ["createService", "updateService"],
});

export const serviceFields = {
  organizationId: organizationField("The ID of the organization that owns the service."),
  existingServiceId: {
    schema: uuid(),
    description:
      "The ID of an existing service to adopt instead of creating one. Only what differs from the arguments is changed. Arguments that only a creation sends are compared with the service where the API shows them, and recorded where it does not. It can be removed once the service is in the stack.",
    form: "id",
    onChange: "replace",
    sentWith: [],
    inPath: true,
  },
  name: field(
    anyName.regex(/^[A-Za-z0-9\s]+$/, NAME),
    "The name of the service: letters, digits and whitespace. The API allows several services of one name.",
    {
      unlisted: anyName,
      default:
        "the resource's logical name or, with the native plugin, the name that `pulumi:autonaming` gives, with any other characters replaced by spaces. Dynamic resources do not receive that setting",
    },
  ),
  provider: createField(
    choice(PROVIDERS),
    "The cloud provider that hosts the service. `provider` is the API's name for it; the Pulumi provider is a resource option. Declare it for a new service: the API's specification does not say what happens without it.",
  ),
  region: createField(
    choice(REGIONS),
    "The cloud provider's region that hosts the service. Declare it for a new service: the API's specification does not say what happens without it.",
  ),
  tier: createField(
    choice(TIERS),
    "The tier of the service. Production services scale; development services have a fixed size.",
    {
      deprecated:
        "In organizations of the BASIC, SCALE and ENTERPRISE tiers, use minReplicaMemoryGb, maxReplicaMemoryGb and numReplicas instead.",
    },
  ),
  ipAccessList: field(
    accessList,
    "The IP addresses and networks that may reach the service. Host bits of a network do not matter, and repeated entries are merged. This is the complete list, even if it is empty: declaring it for the first time removes other entries, which the preview names; once a refresh has found an entry that was added outside of the program, the next `pulumi up` removes it.",
    { list: accessListRules },
  ),
  minTotalMemoryGb: createField(
    totalMemory,
    "The minimum memory of all replicas together when autoscaling.",
    {
      unit: "GB",
      irreversible: "whenLowered",
      deprecated: "Use minReplicaMemoryGb.",
      inResponse: "ifSet",
    },
  ),
  maxTotalMemoryGb: createField(
    totalMemory,
    "The maximum memory of all replicas together when autoscaling.",
    {
      unit: "GB",
      irreversible: "whenLowered",
      deprecated: "Use maxReplicaMemoryGb.",
      inResponse: "ifSet",
    },
  ),
  ...scalingFields("createService", "scaleService"),
  isReadonly: createField(flag(), "Whether the service is read-only.", { inResponse: true }),
  dataWarehouseId: createField(
    text(),
    "The ID of the warehouse that the service joins. Without it, the service is the first of a new warehouse.",
    { form: "id", inResponse: true },
  ),
  backupId: createField(
    uuid(),
    "The ID of the backup to restore the service from. Region and tier must match those of the service that was backed up.",
    { form: "id" },
  ),
  encryptionKey: createField(
    text(),
    "The customer-managed key that encrypts the service's disks. Once it has been removed from the program, a key declared later is recorded without being compared.",
    { secret: true, fromEnvironment: true, irreversible: "whenChanged" },
  ),
  encryptionAssumedRoleIdentifier: createField(
    text(),
    "The role that the service assumes to use the customer-managed encryption key.",
    { form: "locator", inResponse: "ifSet", irreversible: "whenChanged" },
  ),
  [PUBLIC_KEY]: createField(
    text(),
    "The public key that encrypts the password of a new service: encryptedPassword then holds it, and password is undefined. Used only at creation, not sent to the API.",
    { onChange: "ignore", sentWith: [] },
  ),
  privateEndpointIds: updateField(
    listOf(text()),
    "The IDs of the private endpoints that reach the service. This is the complete list: declaring it for the first time removes other IDs, which the preview names; once a refresh has found an ID that was added outside of the program, the next `pulumi up` removes it. On creation, it is set by a second request.",
    { form: "id", list: privateEndpointRules },
  ),
  privatePreviewTermsChecked: createField(
    flag(),
    "Whether the terms of a private preview are accepted. Required for the first service of an organization in a private preview.",
    { onChange: "ignore" },
  ),
  releaseChannel: unobservedField(
    choice(RELEASE_CHANNELS),
    "How early the service receives new releases of the database engine.",
  ),
  byocId: createField(
    text(),
    "The ID of the bring-your-own-cloud (BYOC) region that hosts the service, as returned when the region was set up.",
    { form: "id", inResponse: "ifSet" },
  ),
  hasTransparentDataEncryption: createField(
    flag(),
    "Whether transparent data encryption (TDE) is enabled.",
    { inResponse: true, irreversible: "whenChanged" },
  ),
  transparentDataEncryptionKeyId: updateField(
    text(),
    "The ID of the key to rotate transparent data encryption to. On creation, it is set by a second request.",
    { form: "id", inResponse: "ifSet", irreversible: "whenChanged" },
  ),
  endpoints: unobservedField(
    listOf(record({ protocol: text(), enabled: flag() })),
    "The protocols to enable or disable, such as `mysql`. Protocols that are not declared are left unchanged. The addresses are in serviceEndpoints.",
    { observedAs: "serviceEndpoints", list: endpointRules },
  ),
  profile: createField(choice(PROFILES), "The hardware profile of the service's replicas."),
  complianceType: createField(
    choice(COMPLIANCE_TYPES),
    "The compliance standard that the service must meet.",
  ),
  waitForEndpoint: unobservedField(
    flag(),
    "Waits for all enabled endpoints, not only one: a new service counts as created once each accepts connections from this machine. On an existing service, the update that sets it to true waits. Limited by customTimeouts, or to 10 minutes. Not sent to the API.",
    { default: "false", sentWith: [] },
  ),
} satisfies Record<string, Field>;
