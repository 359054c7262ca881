/** An event that can happen next. */
export type Event = () => void | Promise<void>;

/** The order of a command's events. */
export interface Schedule {
  /** True once the engine and its plugins have died. */
  readonly isDead: () => boolean;
  /** Resolves once a result may be stored, or never. */
  readonly turn: () => Promise<void>;
  /** Lets events happen until nothing is left to do, or everything is dead. */
  readonly run: (isOver: () => boolean, events: () => readonly Event[]) => Promise<void>;
}

/** Each event after the end of the one before; nothing dies. */
export const IN_ORDER: Schedule = {
  isDead: () => false,
  turn: async () => {},
  async run(isOver, events) {
    while (!isOver()) {
      const [next] = events();
      if (next === undefined) throw new Error("the command hangs");
      await next();
    }
  },
};
