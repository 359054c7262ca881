import type { Explanations } from "./types";

/** CDB1…: arguments and options of a program. */
export const argumentMessages = {
  "CDB1001.unknown": "unknown argument {argument}; remove it.",
  "CDB1001.ofFunction": "{function} has no argument {argument}; remove it.",
  "CDB1002.missing": "{argument} is missing: declare it.",
  "CDB1002.orSet": "{argument} is missing: declare it, or set {setting}.",
  "CDB1002.ofFunction": "{argument} is missing: pass it, or set {setting}.",
  "CDB1002.required": "{user} requires {arguments}.",
  "CDB1002.oneOf": "{arguments} are missing: declare at least one of them.",
  "CDB1002.entries": "{arguments} have no entries: declare at least one, or remove the resource.",
  "CDB1003.invalid": "{argument} is invalid: {rule}.",
  "CDB1003.ofFunction": "The argument {argument} of {function} is invalid: {rule}.",
  "CDB1004.newer":
    "{argument} is invalid: {rule}; for a value that is newer than this release, add {name} to {setting}.",
  "CDB1004.unlisted":
    "{name} has a value that this release does not know; it is sent unchanged because {setting} includes {name}.",
  "CDB1005.null": "{entry} is null: leave the entry out, or give it a value.",
  "CDB1006.conflict": "{one} and {other} are the same entry with different contents; keep one of them.",
  "CDB1006.twice": "{one} and {other} are the same entry; keep one of them.",
  "CDB1007.name":
    "the service gets {name}, because its name can have only letters A to Z, digits and spaces, at most {length}; declare name to {advice}.",
  "CDB1007.enforced":
    "pulumi:autonaming enforces the name {name}, and a service's name can have only letters A to Z, digits and spaces, at most {length}; change the pattern, propose it instead, or declare name.",
  "CDB1007.disabled": "pulumi:autonaming is disabled for this service; declare name.",
  "CDB1008.more": "There are {count} more {problems}.",
  "CDB1009.order": "{least} {value} is invalid: must not exceed {most} {limit}; lower {least} or raise {most}.",
  "CDB1009.unpaid":
    "{argument} {value} is invalid: must not exceed {limit} for services that are not paid; lower it, or set clouddb:paid to true if they are.",
  "CDB1010.byoc": "{argument} {problem}: must be one of {values} with byocId.",
  "CDB1010.replicas":
    "numReplicas {value} is invalid: must be at least {least} for the first service of a warehouse in the {tier} tier; raise it, or declare the dataWarehouseId of the warehouse to join.",
  "CDB1010.readonly": "isReadonly requires dataWarehouseId, the warehouse to read from; declare both or neither.",
  "CDB1010.enterprise":
    "{argument} is available only in the ENTERPRISE tier, and clouddb:organizationTier is {tier}; remove it.",
  "CDB1010.production": '{argument} is not available for tier "development"; remove {argument} or the tier.',
  "CDB1010.azure":
    'tier "development" is invalid: must not be used with provider "azure"; remove tier or choose another provider.',
  "CDB1011.kinds":
    "source is invalid: must declare at most one kind, but has {kinds}; keep the kind that the pipe has.",
  "CDB1012.resource":
    "The arguments of {resource} must be an object, whose values may be Outputs or Promises; got {type}.",
  "CDB1012.function": "The arguments of {function} must be an object; got {type}.",
  "CDB1012.text": "The argument {argument} of {function} must be a non-empty string; got {type}.",
  "CDB1012.value": "The argument {argument} of {function} must be a non-empty string.",
  "CDB1012.asset": "{argument} must not be an asset or an archive: pass the value itself.",
  "CDB1012.deep":
    "{argument} must not be nested more than {levels} levels deep: pass the value that the reference documents.",
  "CDB1013.deprecated": "{argument} is deprecated. {advice}",
  "CDB1014.customTimeouts":
    "{resource} does not support the option customTimeouts: remove it, or import the class from pulumi-clouddb/native.",
  "CDB1015.import": "{resource} does not support the import option: {advice}.",
} as const;

export const argumentExplanations: Explanations<typeof argumentMessages> = {
  CDB1001: {
    cause: "The resource or the function has no such argument.",
    action: "Look for a typing error; the [reference](reference) lists all arguments.",
  },
  CDB1002: {
    cause: "A required argument has no value, and where a setting can stand in for it, neither has the setting.",
    action:
      "Declare the argument. For `organizationId`, set `clouddb:organizationId` or `CLOUDDB_ORGANIZATION_ID`, so that no resource has to name it.",
  },
  CDB1003: {
    cause:
      "The value is outside what the API accepts. The message shows the value, unless it could be a secret. Text that cannot be an ID is neither sent nor shown.",
    action: "Change the value. The [reference](reference) has the bounds of each argument.",
  },
  CDB1004: {
    cause: "The value is not on the list of this release.",
    action:
      "If it is misspelt, correct it. If the API has added it since, upgrade, or name the argument in [`clouddb:allowUnlisted`](configuration.md): the value is then sent unchanged, and the error becomes a warning.",
  },
  CDB1005: {
    cause:
      "A list has an entry without a value, as `[address if wanted else None]` has in Python. It is not dropped, because a list that becomes empty this way would remove all access.",
    action: "Build the list without such entries, for example `[address] if wanted else []`.",
  },
  CDB1006: {
    cause: "A list names the same object twice, such as an access list with one network under two descriptions.",
    action: "Keep one of the two entries.",
  },
  CDB1007: {
    cause:
      "The name of a new service, from its logical name or from `pulumi:autonaming`, has characters that a service's name cannot have, or is too long. Where it is replaced, this is a warning: two such resources can get the same name. Where the stack enforces or disables automatic names, it is an error.",
    action: "Declare `name` on the resource, or change the stack's `pulumi:autonaming`.",
  },
  CDB1008: {
    cause: "A list has more than ten problems, of which the first ten are shown.",
    action: "Fix these and run the preview again.",
  },
  CDB1009: {
    cause:
      "Two sizes contradict each other, or `clouddb:paid` is false and the size is above the limit of unpaid services.",
    action: "Change one of the values, or the setting if it is wrong.",
  },
  CDB1010: {
    cause:
      "The API refuses this combination when a service is created. The preview knows the tier from `clouddb:organizationTier`.",
    action:
      "If your organization has another tier, correct the setting; otherwise change the arguments as the message says.",
  },
  CDB1011: {
    cause: "A pipe reads from one kind of source.",
    action: "Declare only the one that it has.",
  },
  CDB1012: {
    cause: "The program passed something other than plain values.",
    action:
      "Functions such as `getService` take known values; to pass an Output, call the `Output` form of the function, `getServiceOutput`.",
  },
  CDB1013: {
    cause: "A warning: the argument still works.",
    action: "Replace it before the API removes it.",
  },
  CDB1014: {
    cause:
      "Pulumi does not pass the option on to dynamic resources: it would have no effect, and has none where a transform sets it.",
    action:
      "Remove `customTimeouts` from the resource's options, or use the [native plugin](install.md#the-native-plugin), which [supports it](configuration.md#options-of-pulumi). Without it, a request that is repeated takes a minute in all, a wait for the rate limit 10 minutes at most; [`requestTimeoutSeconds`](configuration.md) limits each attempt.",
  },
  CDB1015: {
    cause: "Pulumi cannot import dynamic resources.",
    action:
      "[Adopt](guides/adopt.md) the object instead, or use the [native plugin](guides/adopt.md#import-what-exists), which can import.",
  },
};
