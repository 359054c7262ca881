/** The code in a message's key: `CDB1001` of `CDB1001.unknown`. */
export type CodeOf<Key> = Key extends `${infer Code}.${string}` ? Code : never;

/** The documentation of a code, in Markdown. The native plugin's bundle does not contain it. */
export interface Explanation {
  readonly cause: string;
  /** Absent where there is nothing to do. */
  readonly action?: string;
}

/** An explanation for each code of an area. */
export type Explanations<Messages> = Readonly<Record<CodeOf<keyof Messages>, Explanation>>;
