import type { ObjectOperation } from "../../api/endpoints";
import type { Definition } from "../../fields";

/** The data of a type of resource: its table, its requests and its words. */
export interface ResourceType extends Definition {
  /** The type's name in sentences, before an id: `service`. */
  readonly title: string;
  /** The paragraphs of its class's documentation; the first one also stands in lists. */
  readonly doc: readonly [string, ...string[]];
  /** The argument that names an existing object, to be adopted. */
  readonly id: string;
  /**
   * A POST that creates an object: it costs money, and must not be sent twice. Only its response
   * holds the password, beside the object. Absent if the API can neither create nor delete the
   * object: it is adopted, managed and released.
   */
  readonly create?: {
    readonly operation: ObjectOperation;
    /** The member of the result that is the object. */
    readonly member: string;
    /** The argument with which the response may have no password. */
    readonly passwordOptionalWith?: string;
  };
  /** Absent if the API cannot read the object. */
  readonly read?: ObjectOperation;
  /** The operations that change the object, in the order in which they are sent. */
  readonly updates: readonly ObjectOperation[];
  /**
   * Set for a resource that is only a part of an object: other resources may have other parts of
   * it.
   */
  readonly lifecycle?: object;
}
