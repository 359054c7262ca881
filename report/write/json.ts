import { capacityOf } from "../judge/capacity";
import { irreversibleIn } from "../judge/irreversible";
import { propertyChanges } from "../judge/properties";
import { type Preview, touched } from "../preview";

/** The report for programs: what the others are written from, without secrets. */
export function jsonOf({ changes, drift, policies, ...preview }: Preview, masks: readonly RegExp[]): object {
  const changed = touched(changes);
  const told = (change: Preview["changes"][number]) => {
    const { urn, type, name, operation } = change;
    return { urn, type, name, operation, properties: change.after ? propertyChanges(change, masks) : [] };
  };
  return {
    ...preview,
    capacity: capacityOf(changes),
    irreversible: irreversibleIn(changed, masks),
    policies,
    changes: changed.map(told),
    drift: drift.map(told),
  };
}
