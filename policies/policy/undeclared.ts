import { knownValue, fieldPathsOf, type Properties, resources, UNKNOWN, valueAt } from "pulumi-clouddb/definitions";
import { scaledServices, scalingOf } from "./scaling";
import type { StackSubject, Subject } from "./subject";

/** The resources at the end, to judge what no resource of the program declares. */
export function undeclaredParts(subjects: readonly StackSubject[]): Subject[] {
  const { services, undecided } = scaledServices(subjects);
  const perhaps = Object.fromEntries(
    undecided.flatMap(({ inputs }) => Object.keys(scalingOf(inputs))).map((name) => [name, UNKNOWN]),
  );
  const others = subjects.filter(({ kind }) => kind !== "Service" && kind !== "ServiceScaling");
  return [
    // What a ServiceScaling declares is judged there; the service's outputs may be older.
    ...services.map(({ subject, declared }) => undeclaredPart(subject, { ...perhaps, ...declared })),
    ...others.map((subject) => undeclaredPart(subject, {})),
  ];
}

function undeclaredPart(subject: Subject, elsewhere: Properties): Subject {
  const leaves = fieldPathsOf(resources[subject.kind]?.definition.fields ?? {});
  const output = (place: string) => {
    const leaf = leaves.find(({ name }) => name === place);
    return leaf && knownValue(subject.properties, leaf, undefined);
  };
  const isUndeclared = (place: string) =>
    subject.isUndeclared(place) && valueAt(elsewhere, place.split(".")) === undefined;
  return {
    ...subject,
    stage: "undeclared",
    isUndeclared,
    value: (place) => {
      if (isUndeclared(place)) return output(place);
      return subject.isUndeclared(place) && elsewhere[place] === UNKNOWN ? UNKNOWN : undefined;
    },
  };
}
