import type { Explanations } from "./types";

const RELEASE = "To stop managing it, set `retainOnDelete: true` on the resource and run `pulumi up`; then";

const LOOK =
  "Look for a {type} with that name and creation time in the organization. If it exists, adopt it: set {idArgument} to its id and run `pulumi up` (its password was in the lost response, so set a new one). If not,";

/** CDB4…: what creations, adoptions and imports find. CDB5…: replacements, deletions and the stack's state. */
export const objectMessages = {
  "CDB4001.uncertain": `{failure} The {type} may still have been created, at {time} or shortly after; the request was not retried. ${LOOK} run \`pulumi up\` again.`,
  "CDB4001.journal": `{failure} The {type} may still have been created, at {time} or shortly after; the request was not retried, and the creation journal refuses another one. ${LOOK} run \`{command}\`, then \`pulumi up\` again.`,
  "CDB4002.password":
    "Creating {object}: it was created and is in the stack, but the response contained no password. Set a new one in the provider's console.",
  "CDB4003.created": "{object} was created in organization {organization}; applying the remaining arguments.",
  "CDB4004.adopt":
    "Adopting {object}: {differences}. An update cannot change this: declare the existing value, or omit the argument. Nothing was changed.",
  "CDB4004.create":
    "Creating {object}, which an earlier command has created: {differences}. An update cannot change this: declare the existing value, or run `{command}` to create another one. Nothing was changed.",
  "CDB4004.update": "Updating {object}: {differences}. An update cannot change this. Nothing was changed.",
  "CDB4005.twice":
    "the API accepted the update of {arguments} twice, but its response still does not show it; run `pulumi refresh` to see the current values",
  "CDB4006.id": "Cannot import {type}: the import ID must be {forms}, each part a UUID. Nothing was imported.",
  "CDB4006.entries":
    "Cannot import {type}: the import ID must be {forms}, each ID a UUID, and ENTRIES the networks and private endpoint IDs that this stack has added, separated by commas. Nothing was imported.",
  "CDB4006.absent":
    "Cannot import {type}: the {object} does not include {count} of the entries in the import ID. Import what is there; declare the rest, and `pulumi up` adds it. Nothing was imported.",
  "CDB4007.unchecked":
    "The API cannot read {object}: only the ID was imported; it could not be verified. Declare what the program is to manage; the next `pulumi up` sends it.",
  "CDB4008.import":
    "Pulumi does not check whether the stack already has what it imports. If `pulumi stack --show-ids` lists an ID twice, remove the new resource with `pulumi state delete --force URN`.",
  "CDB4009.owners":
    '"{first}" and "{second}" both manage {object}, and each would undo the other\'s changes: keep only one of them.',
  "CDB4010.imported":
    "{conflict} If it was imported twice, remove the newer one from the state with `pulumi state delete --force URN`: an import brings no password.",
  "CDB4011.taken":
    "{object} was created for this resource at {time}, and no command has seen it in the stack since: `pulumi up` takes it into the stack if it still exists.",
  "CDB4011.asking":
    "The API does not show {object} yet, which an earlier command created: asking again for up to a minute.",
  "CDB4011.entries":
    "{object}: an earlier command ended while it added entries, at {time}. `pulumi up` looks for them, and they count as the resource's own.",
  "CDB4011.kept": "{object} is the one that its replacement has taken into the stack: it was not deleted.",
  "CDB4012.refused": `Creating {type} {name} in organization {organization}: a command that ended without a response, or still waits for it, may have created it at {time} or shortly after. Nothing was sent. ${LOOK} run \`{command}\`, then \`pulumi up\` again.`,
  "CDB4012.missing":
    "Creating {object}, which an earlier command created at {time}: {failure}. Nothing was created, and the creation journal keeps its id. Look for it in the provider's console: if it exists, check that the API key can see it, then run `pulumi up` again. If not, run `{command}`, then `pulumi up` to create another one.",
  "CDB4012.begun":
    "Creating {type} {name}: another command began to create it at {time}. Nothing was sent. Wait until that command ends, then run `pulumi up` again.",
  "CDB4012.sealed":
    "Access to service {target}: an earlier command, with another API key, ended while it added entries, at {time}, and only that key can read which. Nothing was changed. Use that key once, or run `{command}`: entries that are there then count as shared.",
  "CDB4012.entries":
    "Access to service {target}: an earlier command ended while it added entries, at {time}, and the API does not show that service. Nothing was added. If the service exists, use a key that can see it, and run `pulumi up` again. If the service is gone, run `{command}`.",
  "CDB4012.others": "Look for these creations of the stack, too: {creations}.",
  "CDB4012.known":
    "The next `pulumi up` takes these, unless the stack has them; run the command of one that no longer exists: {creations}.",
  "CDB4013.password":
    "Creating {object}: it is in the stack without its password: the creation journal holds none, or one that only another API key can read. Set a new one in the provider's console, then run `{command}`.",
  "CDB4014.configured":
    "The creation journal in {place} cannot be written: {reason}. Nothing was created or added. Make it writable, or change {setting}.",
  "CDB4014.default":
    "The creation journal in {place} cannot be written: {reason}. A crash may lose what is created meanwhile. Make it writable, or set {setting} to another place, or to off.",
  "CDB4014.temporary":
    "The creation journal is in {place}, which a CI runner or a pod loses with its machine: a creation that is canceled may then be repeated as a second one. Set {setting} to a folder that is kept across runs, or to a Redis server.",
  "CDB4014.incomplete":
    "The creation journal in {place} could not store that {object} was created: {reason}. The stack has it unless this command ends early; once it has, run `{command}`.",
  "CDB4014.unread":
    "The creation journal cannot read {record}: {reason}. An earlier command may have created the resource or added its entries, so nothing was sent. Make the journal reachable, and the record readable. If you know that there is nothing of the resource on the server, run `{command}`.",
  "CDB4014.unknown":
    "The creation journal cannot use {record}, the record of this resource: it is damaged or of a later release. Nothing was created or added. Update the provider. If you know that there is nothing of the resource on the server, run `{command}`.",
  "CDB4014.skipped":
    "Unreadable records in the creation journal: {count}, the first is {record} ({reason}). Each stops only the resource that it belongs to. `{command}` lists them: make them readable, or discard them.",
  "CDB4014.unlisted":
    "The creation journal in {place} cannot be read: {reason}. This command leaves its records unchanged, and knows none of them. Make it readable, or change {setting}.",
  "CDB4014.backend":
    "The creation journal cannot determine the backend of this stack: {reason}. An earlier command may have created the resource or added its entries, so nothing was sent. Correct the backend, set PULUMI_BACKEND_URL, or set {setting} to off.",
  "CDB4015.waiting": "Waiting until {object} answers at {endpoints}.",
  "CDB4015.silent":
    "{end} before it answered at {endpoints}. Check that its access list includes this machine, that no firewall is in between and that this machine trusts its certificate, or remove waitForEndpoint.",
  "CDB4015.none":
    "{end} before the API returned an endpoint to wait for. Enable one in endpoints, or remove waitForEndpoint.",
  "CDB5001.delete": `Deleting {object}: the API cannot delete {type}s, so it would keep running and costing money without being managed. Nothing was changed. If it is tainted, run \`pulumi state untaint\`. ${RELEASE} remove it.`,
  "CDB5002.replace": `Changing {arguments} of {type} {id} requires a new {type}, and this one would keep running and costing money: the API cannot delete {type}s. ${RELEASE} make this change.`,
  "CDB5003.release":
    "Changing {arguments} of {type} {id} makes the stack release this object and adopt the other; nothing is created or deleted on the server.",
  "CDB5003.entries":
    "Changing {arguments} of {type} {id} removes the entries that this resource has added there, and adds the declared ones to the other.",
  "CDB5004.settings": "The {object} keeps its current settings; it is only removed from the stack.",
  "CDB5004.adopted": "{object} keeps running and costing money: it was adopted, so it is only removed from the stack.",
  "CDB5004.shared": "The {object} keeps {count} of the declared entries: others had added them.",
  "CDB5005.undeclared": "The {object} keeps what the program does not declare: {places}.",
  "CDB5006.gone": "{object} of organization {organization} no longer exists and is removed from state.",
  "CDB5006.password":
    "{object} of organization {organization} no longer exists and is removed from state. The stack's history still holds its password: `pulumi stack history`, `pulumi stack export --version N`.",
  "CDB5006.missing": "{object} of organization {organization} does not exist.",
  "CDB5007.secret":
    "The program marks {arguments} of {object} as secret: the update marks it in the state, and sends no request for that.",
  "CDB5008.foreign":
    "{list} of {object} has {entries} that the program does not declare. The update did not change this: `pulumi up --refresh` removes what the program does not declare.",
} as const;

export const objectExplanations: Explanations<typeof objectMessages> = {
  CDB4001: {
    cause:
      "The response to a creation was lost. Sending the request again could create a second service, so the provider does not.",
    action:
      "Look for the service in your provider's console before you run `pulumi up` again, and [adopt it](guides/adopt.md) if it is there.",
  },
  CDB4002: {
    cause: "The service exists and the stack manages it, but its password is unknown.",
    action: "Set a new password. Do not create the service again.",
  },
  CDB4003: {
    cause:
      "A message, not an error: the service exists, and the arguments that a creation cannot carry are sent next. If the command is interrupted now, this message has the id.",
  },
  CDB4004: {
    cause:
      "The existing object differs from the program in an argument that can only be set at creation, such as `isReadonly`.",
    action: "Declare what exists, or leave the argument out.",
  },
  CDB4005: {
    cause: "The API reported success but still returns the old value.",
    action:
      "Run `pulumi refresh`. If the value is still the old one, the API ignores the change: ask its provider, and name the request id.",
  },
  CDB4006: {
    cause: "The ID lacks a part or has one too many.",
    action: "[Import what exists](guides/adopt.md#import-what-exists) lists the form for each type.",
  },
  CDB4007: {
    cause: "A warning: the API has no request that reads an organization.",
    action: "Compare the id with your provider's console.",
  },
  CDB4008: {
    cause:
      "A message of every import, not an error: during an import, Pulumi tells a plugin nothing about the other resources of the stack.",
  },
  CDB4009: {
    cause:
      "Two resources of the program manage the same service, scaling, pipe, organization or access entry. Nothing was changed. A `Service` and a `ServiceScaling` can manage the same service if only one of them declares its scaling, a `Service` and a `ServiceAccess` if the `Service` does not declare the list.",
    action:
      "Keep one of them; to remove the other from the stack, see [Stop managing a service](guides/replace.md#stop-managing-a-service).",
  },
  CDB4010: {
    cause:
      "The stack has the same object twice. This happens if `pulumi import` is run for an object that the stack already has: Pulumi does not check that.",
    action: "The command removes one of the two from the state and changes nothing else.",
  },
  CDB4011: {
    cause:
      "A message, not an error: an earlier command was killed after the API had created the service and before Pulumi had stored it, or the service was removed or replaced before any other command saw it in the stack. The [creation journal](guides/after-a-crash.md) remembered it. It also remembers the entries that a killed command was adding for a `ServiceAccess`.",
    action:
      "If you want another service instead, discard the record first: see [the journal](guides/after-a-crash.md#the-journal).",
  },
  CDB4012: {
    cause:
      "An earlier command was killed while its request was on the way, or lost the response. Sending the request again could create a second service, so the provider does not. If the message has an id, the service was created, and the API has returned 404 for it for a minute: it was deleted, or this API key cannot see it. The message names every unresolved creation of the stack. A `ServiceAccess` is refused if its entries were recorded with another API key.",
    action:
      "Look for the services in your provider's console. [Adopt](guides/adopt.md) each that is there and that the journal has no id of; discard the records of those that are not.",
  },
  CDB4013: {
    cause: "The password was encrypted with the secret of another API key, or the response that had it was lost.",
    action: "Set a new password in your provider's console. Do not create the service again.",
  },
  CDB4014: {
    cause:
      "The place of the creation journal, a folder or a Redis server, cannot be read or written. A place that was set is required, so nothing is created; in the default one, only what cannot be read stops a creation. A record that cannot be read, such as a file of another user, stops only the resource that it belongs to. A record belongs to a stack of one backend, which the provider finds as Pulumi does: `PULUMI_BACKEND_URL`, the project file, then the last `pulumi login`.",
    action:
      "Repair the place, or set [`clouddb:journal`](configuration.md) to another one. If the message names a project file or a login, correct that. In CI, [keep the journal](guides/ci.md#keep-the-journal).",
  },
  CDB4015: {
    cause:
      "The service is in the stack, with its id and password, and it has no endpoint yet or at least one of its endpoints has not answered in the time of `customTimeouts`, or in 10 minutes without it; or you pressed Ctrl-C. `ENOTFOUND` means that its host name is not known yet, `ETIMEDOUT` that something drops the connection, as an access list does, `closed` that it was accepted and closed again. A code with `CERT` means that this machine does not trust its certificate. A line that begins with Waiting is a message, not an error.",
    action:
      "Add this machine to the access list, then run `pulumi up` again, which waits again. [Wait until a new service answers](guides/network-access.md#wait-until-a-new-service-answers) has more.",
  },
  CDB5001: {
    cause:
      "`pulumi destroy`, or removing a service from the program, would leave it running without anyone managing it. `pulumi state taint` and `pulumi up --replace` mark a service for replacement, which would do the same.",
    action:
      "Follow [Stop managing a service](guides/replace.md#stop-managing-a-service), or [undo the mark](guides/replace.md#undo-pulumi-state-taint) and check whether a second service was created.",
  },
  CDB5002: {
    cause: "An argument changed that can only be set at creation.",
    action:
      "If that was a mistake, undo it. Otherwise follow [Change an argument that requires replacement](guides/replace.md#change-an-argument-that-requires-replacement).",
  },
  CDB5003: {
    cause:
      "The id of a `Pipe`, `ServiceScaling`, `ServiceAccess` or `Organization` changed. The preview shows a replacement, but only the stack changes: it releases one object and adopts the other. A `ServiceAccess` removes its entries from one service and adds them to the other.",
  },
  CDB5004: {
    cause: "A message, not an error: the object exists as before, and Pulumi no longer manages it.",
  },
  CDB5005: {
    cause:
      "A message, not an error: these arguments were declared or imported before, and now they are not. Nothing is sent for them, the server keeps their values, and Pulumi no longer manages them.",
  },
  CDB5006: {
    cause:
      "The object was deleted outside of Pulumi. A refresh removes it from the state; if the program still declares it, the next `pulumi up` creates a new service.",
    action: "Remove it from the program if that is not what you want.",
  },
  CDB5007: {
    cause: "A message, not an error: the state shows a value in plain text that the program marks as secret now.",
    action: "After `pulumi up`, rotate the value if others can read the state, its backups or its history.",
  },
  CDB5008: {
    cause:
      "A warning: the response to an update shows entries that were added outside of the program, such as in the provider's console. Pulumi compares the program with its state, and only a refresh brings such entries into the state.",
    action:
      "Find out who added them. `pulumi up --refresh` shows them in its preview, and removes them. To leave each entry to its owner, see [Share a service's access](guides/share-access.md).",
  },
};
