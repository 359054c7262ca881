import { type Learned, revise } from "./learned-limit";

/* Additive increase and multiplicative decrease, by example: "10 per 10" is ten requests in ten seconds. */

const limitOf = (text: string) => {
  const [requests = 0, seconds = 0] = text.split(" per ").map(Number);
  return { requests, windowMs: 1000 * seconds };
};

const LATER = 1_000_000;
const REFUSED_AT = LATER - 5000;
const FIRST_AT = REFUSED_AT - 100;
const QUIET: Learned = {
  expected: limitOf("10 per 10"),
  patience: 1,
  revisedAt: 0,
  sent: [],
  firstSentAt: 0,
  refusedAt: -1,
  refusalsInRow: 0,
  pausedUntil: 0,
  spacedUntil: 0,
};

test.each`
  limit         | patience | quietSeconds | next
  ${"8 per 10"} | ${1}     | ${900}       | ${"8 per 10"}
  ${"5 per 10"} | ${1}     | ${900}       | ${"5 per 10"}
  ${"4 per 10"} | ${1}     | ${10}        | ${"5 per 10"}
  ${"4 per 10"} | ${1}     | ${9}         | ${"4 per 10"}
  ${"4 per 10"} | ${4}     | ${40}        | ${"5 per 10"}
  ${"4 per 10"} | ${4}     | ${39}        | ${"4 per 10"}
  ${"2 per 10"} | ${1}     | ${10}        | ${"3 per 10"}
  ${"3 per 20"} | ${4}     | ${20}        | ${"6 per 20"}
  ${"1 per 40"} | ${4}     | ${40}        | ${"2 per 40"}
  ${"1 per 40"} | ${4}     | ${39}        | ${"1 per 40"}
`(
  "a limit of $limit becomes $next after $quietSeconds quiet seconds with patience $patience",
  ({ limit, patience, quietSeconds, next }) => {
    const revisedAt = LATER - 1000 * quietSeconds;
    const learned = { ...QUIET, limit: limitOf(limit), patience, revisedAt };
    expect(revise(learned, LATER).limit).toEqual(limitOf(next));
  },
);

test.each([
  ["a limit far below the expected one loses its patience", "1 per 10", 1],
  ["a limit near the expected one keeps its patience", "4 per 10", 4],
])("after a quiet period, %s", (_, limit, patience) => {
  const learned = { ...QUIET, limit: limitOf(limit), patience: 4 };
  expect(revise(learned, LATER).patience).toBe(patience);
});

test.each`
  limit                 | passed | measured | next            | patience
  ${"an unknown limit"} | ${10}  | ${10}    | ${"10 per 10"}  | ${1}
  ${"an unknown limit"} | ${6}   | ${1}     | ${"6 per 1"}    | ${1}
  ${"an unknown limit"} | ${400} | ${60}    | ${"400 per 60"} | ${1}
  ${"an unknown limit"} | ${4}   | ${1}     | ${"10 per 10"}  | ${1}
  ${"an unknown limit"} | ${6}   | ${10}    | ${"10 per 10"}  | ${1}
  ${"10 per 10"}        | ${6}   | ${10}    | ${"6 per 10"}   | ${2}
  ${"10 per 10"}        | ${6}   | ${30}    | ${"6 per 30"}   | ${2}
  ${"10 per 10"}        | ${6}   | ${1}     | ${"6 per 10"}   | ${2}
  ${"10 per 10"}        | ${10}  | ${10}    | ${"5 per 10"}   | ${2}
  ${"3 per 10"}         | ${3}   | ${10}    | ${"2 per 10"}   | ${2}
  ${"2 per 10"}         | ${0}   | ${10}    | ${"1 per 10"}   | ${2}
  ${"1 per 10"}         | ${1}   | ${10}    | ${"1 per 20"}   | ${2}
  ${"1 per 10"}         | ${1}   | ${30}    | ${"1 per 30"}   | ${2}
  ${"1 per 30"}         | ${1}   | ${30}    | ${"1 per 40"}   | ${2}
`(
  "a refusal after $passed requests in $measured s changes the limit from $limit to $next",
  ({ limit, passed, measured, next, patience }) => {
    const learned = {
      ...QUIET,
      limit: limit === "an unknown limit" ? undefined : limitOf(limit),
      sent: Array.from({ length: passed }, () => ({ sentAt: FIRST_AT })),
      refusedAt: REFUSED_AT,
      fullWindow: { firstAt: FIRST_AT, windowMs: 1000 * measured },
    };
    expect(revise(learned, LATER)).toMatchObject({
      limit: limitOf(next),
      patience,
      revisedAt: LATER,
      fullWindow: undefined,
    });
  },
);

test.each([
  [20_000, "6 per 10"],
  [19_999, "10 per 10"],
])(
  "a refusal %i ms after the first request of a process changes the limit to %s",
  (sinceFirstMs, next) => {
    const learned = {
      ...QUIET,
      limit: limitOf("10 per 10"),
      sent: Array.from({ length: 6 }, () => ({ sentAt: FIRST_AT })),
      firstSentAt: REFUSED_AT - sinceFirstMs,
      refusedAt: REFUSED_AT,
      fullWindow: { firstAt: FIRST_AT, windowMs: 10_000 },
    };
    expect(revise(learned, LATER).limit).toEqual(limitOf(next));
  },
);
