import type { ObjectOperation } from "../../api/endpoints";
import type { Definition } from "../../fields";

/** The data of a resource type: its table, requests and words. */
export interface ResourceType extends Definition {
  /** The type's name before an id in sentences, such as `service`. */
  readonly title: string;
  /** The paragraphs of the class's documentation. The first one also appears in lists. */
  readonly description: readonly [string, ...string[]];
  /** The argument that names an existing object to adopt. */
  readonly id: string;
  /**
   * The POST that creates an object. It costs money and must not be sent twice. Only its response
   * has the password. Absent if the API can neither create nor delete objects of this type: they
   * are adopted and released.
   */
  readonly create?: {
    readonly operation: ObjectOperation;
    /** The member of the result with the object. */
    readonly member: string;
    /** The argument with which a response may lack the password. */
    readonly passwordOptionalWith?: string;
  };
  /** Absent if the API cannot read the object. */
  readonly read?: ObjectOperation;
  /** The operations that change the object, in the order of their requests. */
  readonly updates: readonly ObjectOperation[];
  /** Set for a resource that manages only a part of an object, beside other resources. */
  readonly lifecycle?: object;
}
