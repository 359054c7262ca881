// Made by `npm run build` from the tables of fields. Do not edit.
import type {
  KafkaSource,
  KinesisSource,
  ObjectStorageSource,
  PipeDestination,
  PipeScaling,
  PipeSettings,
  PostgresSource,
} from "../resources/pipe/types";

/** The arguments of getService. */
export interface GetServiceArgs {
  /**
   * The ID of the organization. Defaults to the provider's organizationId.
   */
  readonly organizationId?: string;
  /**
   * The ID of the service.
   */
  readonly serviceId: string;
}

/** The result of getService. A member that the API does not return is absent. */
export type GetServiceResult = {
  id: string;
  name?: string;
  engineVersion?: string;
  endpoints?: Array<{ protocol?: string; host?: string; port?: number; username?: string }>;
  minTotalMemoryGb?: number;
  maxTotalMemoryGb?: number;
  minReplicaMemoryGb?: number;
  maxReplicaMemoryGb?: number;
  numReplicas?: number;
  idleScaling?: boolean;
  idleTimeoutMinutes?: number;
  ipAccessList?: Array<{ source: string; description?: string }>;
  createdAt?: string;
  encryptionKey?: string;
  encryptionAssumedRoleIdentifier?: string;
  iamRole?: string;
  privateEndpointIds?: Array<string>;
  availablePrivateEndpointIds?: Array<string>;
  dataWarehouseId?: string;
  isPrimary?: boolean;
  isReadonly?: boolean;
  byocId?: string;
  hasTransparentDataEncryption?: boolean;
  transparentDataEncryptionKeyId?: string;
  encryptionRoleId?: string;
};

/** The arguments of getPipe. */
export interface GetPipeArgs {
  /**
   * The ID of the organization. Defaults to the provider's organizationId.
   */
  readonly organizationId?: string;
  /**
   * The ID of the service that the pipe writes to.
   */
  readonly serviceId: string;
  /**
   * The ID of the pipe.
   */
  readonly pipeId: string;
}

/** The result of getPipe. A member that the API does not return is absent. */
export type GetPipeResult = {
  id: string;
  serviceId?: string;
  name?: string;
  state?: string;
  scaling?: PipeScaling;
  source?: {
    kafka?: KafkaSource;
    objectStorage?: ObjectStorageSource & { connectionString?: string };
    kinesis?: KinesisSource;
    postgres?: PostgresSource;
  };
  destination?: PipeDestination;
  fieldMappings?: Array<{ sourceField?: string; destinationField?: string }>;
  settings?: PipeSettings;
  createdAt?: string;
  updatedAt?: string;
};

/** The result of getPipeSettings. A member that the API does not return is absent. */
export type GetPipeSettingsResult = PipeSettings;

/** The arguments of getAlert. */
export interface GetAlertArgs {
  /**
   * The ID of the alert.
   */
  readonly id: string;
}

/** The result of getAlert. A member that the API does not return is absent. */
export type GetAlertResult = {
  id: string;
  name?: string;
  message?: string;
  threshold?: number;
  interval?: string;
  thresholdType?: string;
  source?: string;
  state?: string;
  channel?: { type?: string; webhookId?: string };
  team?: string;
  tileId?: string;
  dashboard?: string;
  createdAt?: string;
  updatedAt?: string;
};

/** The result of getDashboards. A member that the API does not return is absent. */
export type GetDashboardsResult = {
  dashboards: Array<{
    id: string;
    name?: string;
    tiles?: Array<{
      id?: string;
      name?: string;
      x?: number;
      y?: number;
      w?: number;
      h?: number;
      asRatio?: boolean;
      series?: Array<{
        sourceId?: string;
        aggFn?: string;
        where?: string;
        groupBy?: Array<string>;
        field?: string;
        whereLanguage?: string;
        metricName?: string;
        metricDataType?: string;
        type?: string;
        dataSource?: string;
      }>;
    }>;
    tags?: Array<string>;
  }>;
};
