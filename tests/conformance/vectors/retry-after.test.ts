import { parseResponse } from "../../../provider/api/response";
import vectors from "../../support/vectors/retry-after.json";
import { conclude } from "../support/conclude";

interface Difference {
  readonly seconds: number | null;
  readonly reason: string;
}

const { materials, differences } = vectors;

/** The wait that our client reads, in seconds; null if the header is invalid. */
function wait(header: string, now: string): number | null {
  const raw = { status: 503, headers: { "retry-after": header }, body: "" };
  const { waitMs } = parseResponse(raw, Date.parse(now), (text) => text);
  return waitMs === undefined ? null : waitMs / 1000;
}

// Each case is a header with the seconds that the other project waits; null where it only backs off.
test.each(materials)("Retry-After is read as $source expects", ({ now, cases, ...material }) => {
  const expected = Object.entries<number | null>(cases).map(([header, seconds]) => {
    const difference = (differences as Record<string, Difference>)[header];
    return [header, difference ? difference.seconds : seconds] as const;
  });
  const failures = expected.flatMap(([header, seconds]) => {
    const ours = wait(header, now);
    // A wait of 0 seconds only backs off.
    return ours === seconds || (ours === 0 && seconds === null)
      ? []
      : `${JSON.stringify(header)}: ${ours} instead of ${seconds}`;
  });
  conclude(material, expected.length, failures);
});

test("each documented difference belongs to a case", () => {
  const stale = Object.keys(differences).filter(
    (header) => !materials.some(({ cases }) => Object.hasOwn(cases, header)),
  );
  expect(stale).toEqual([]);
});
