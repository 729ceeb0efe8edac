import superjson, { type SuperJSONResult } from "superjson";

const written = new WeakMap<object, SuperJSONResult>();

/** superjson, which does its work once for what is frozen: the events of a run go to all who watch it. */
export const transformer = {
  serialize: (value: unknown): SuperJSONResult => {
    if (typeof value !== "object" || value === null || !Object.isFrozen(value))
      return superjson.serialize(value);
    const result = written.get(value) ?? superjson.serialize(value);
    written.set(value, result);
    return result;
  },
  deserialize: <T>(result: SuperJSONResult): T => superjson.deserialize<T>(result),
};
