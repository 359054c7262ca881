import {
  describePolicy,
  type Program,
  resources,
  service,
  UNKNOWN,
} from "../../tests/support/policy";
import { secretsByReference } from "./secrets";

const pipe = (source: unknown): Program => ({ resources: [resources.pipe({ source })] });

describePolicy(secretsByReference, [
  [
    "names the argument to use instead of a member of credentials",
    pipe({ kafka: { credentials: { username: "loader", password: "p" } } }),
    [
      "source.kafka.credentials.password; name an environment variable with source.kafka.credentials.passwordFromEnv",
    ],
  ],
  [
    "names each literal secret of a pipe",
    pipe({
      objectStorage: { connectionString: "c", accessKey: { accessKeyId: "a", secretKey: "s" } },
    }),
    [
      "objectStorage.connectionStringFromEnvironment instead",
      "objectStorage.accessKey.secretKeyFromEnvironment instead",
    ],
  ],
  [
    "names the key of a service",
    service({ encryptionKey: "k" }),
    ["with encryptionKeyFromEnvironment instead"],
  ],
  ["accepts the name of a variable", service({ encryptionKeyFromEnvironment: "KEY" }), []],
  ["accepts an unknown name of a variable", service({ encryptionKeyFromEnvironment: UNKNOWN }), []],
  [
    "refuses a secret that is not known yet",
    service({ encryptionKey: UNKNOWN }),
    ["the state stores encryptionKey"],
  ],
  [
    "reports unknown credentials",
    pipe({ kafka: { credentials: UNKNOWN } }),
    [],
    ["source.kafka.credentials is not known yet"],
  ],
]);
