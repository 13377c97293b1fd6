import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  beginRotation,
  grace,
  issue,
  noteUse,
  successorOf,
  type Rotation,
} from '../../../../src/features/displays/rotation.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The gate's side: uses are noted, and exchanged as the wall does it. */
function gate(first = 1) {
  let rotation: Rotation | 'copied' = beginRotation(first, 0);
  const use = (generation: number, at: number) => {
    if (rotation !== 'copied') rotation = noteUse(rotation, generation, at);
    return rotation;
  };
  return {
    use,
    exchange: (generation: number, at: number): number | undefined => {
      const noted = use(generation, at);
      if (noted === 'copied') return undefined;
      const next = successorOf(noted, generation, at);
      if (next !== undefined) rotation = issue(noted, next, at);
      return next;
    },
    isCopied: () => rotation === 'copied',
    rotation: () => rotation as Rotation,
  };
}

type Step =
  | readonly [at: number, what: 'use', generation: number]
  | readonly [at: number, what: 'exchange', generation: number, next: number | undefined];

describe.each<[what: string, isCopied: boolean, steps: readonly Step[]]>([
  [
    'a new credential is exchanged after a day',
    false,
    [
      [day - second, 'exchange', 1, undefined],
      [day, 'exchange', 1, 2],
      [day + second, 'use', 2],
      [day + minute, 'exchange', 2, undefined],
      [2 * day - second, 'exchange', 2, undefined],
      [2 * day, 'exchange', 2, 3],
    ],
  ],
  [
    'lost answers, and two tabs at once, get the same successor each time',
    false,
    [
      [day, 'exchange', 1, 2],
      [day, 'exchange', 1, 2],
      [day + hour, 'exchange', 1, 2],
      [40 * day, 'exchange', 1, 2],
      [40 * day + second, 'use', 2],
    ],
  ],
  [
    'a request that was under way when the next one was used changes nothing',
    false,
    [
      [day, 'exchange', 1, 2],
      [day + second, 'use', 2],
      [day + second + grace - 1, 'use', 1],
      [day + second + grace - 1, 'exchange', 1, undefined],
      [day + 2 * minute, 'use', 2],
    ],
  ],
  [
    'a power cut brings the previous one back, which gets a fresh one',
    false,
    [
      [day, 'exchange', 1, 2],
      [day + second, 'use', 2],
      [day + minute + second, 'exchange', 1, 3],
      [day + minute + 2 * second, 'exchange', 1, 3],
      [day + 2 * minute, 'use', 3],
    ],
  ],
  [
    'a power cut within the minute is a return once that is over',
    false,
    [
      [day, 'exchange', 1, 2],
      [day + second, 'use', 2],
      [day + 10 * second, 'exchange', 1, undefined],
      [day + 62 * second, 'exchange', 1, 3],
    ],
  ],
  [
    'what was left behind proves two screens, however late it is used',
    true,
    [
      [day, 'exchange', 1, 2],
      [day + second, 'use', 2],
      [day + hour, 'use', 1],
      [40 * day, 'use', 2],
    ],
  ],
  [
    'a successor that was never seen is left behind too',
    true,
    [
      [day, 'exchange', 1, 2],
      [day, 'use', 2],
      [2 * day, 'exchange', 2, 3],
      [2 * day + hour, 'exchange', 1, 4],
      [2 * day + 2 * hour, 'use', 3],
    ],
  ],
  [
    'an older gap is remembered beside a later one',
    true,
    [
      [day, 'exchange', 1, 2],
      [day, 'use', 2],
      [2 * day, 'exchange', 1, 3],
      [2 * day, 'use', 3],
      [3 * day, 'exchange', 3, 4],
      [3 * day, 'use', 4],
      [4 * day, 'exchange', 3, 5],
      [4 * day, 'use', 5],
      [5 * day, 'use', 2],
    ],
  ],
  [
    'a read-only profile comes back with the same one each morning',
    false,
    [2, 3, 4, 5, 6].flatMap((next): Step[] => [
      [next * day, 'exchange', 1, next],
      [next * day + second, 'use', next],
      [next * day + 8 * hour, 'use', next],
    ]),
  ],
  [
    'a use that another gate notes late, from before the return, proves nothing',
    false,
    [
      [day, 'exchange', 1, 2],
      [day + second, 'use', 2],
      [day + hour, 'use', 1],
      [day + 2 * second, 'use', 2],
      [day + 3 * second, 'use', 2],
      [day + 2 * hour, 'use', 1],
    ],
  ],
  [
    'a store that was restored learns from the screen',
    false,
    [
      [day, 'use', 9],
      [day + minute, 'exchange', 9, 10],
      [day + minute, 'use', 10],
    ],
  ],
  [
    'a clock that was years ahead keeps no screen from coming back',
    false,
    [
      [day, 'exchange', 1, 2],
      [9_999 * day, 'use', 2],
      [2 * day, 'use', 2],
      [3 * day, 'exchange', 1, 3],
    ],
  ],
  [
    'a clock that was years ahead keeps no credential in use',
    false,
    [
      [9_999 * day, 'exchange', 1, 2],
      [9_999 * day, 'use', 2],
      [2 * day, 'exchange', 2, 3],
    ],
  ],
  [
    'a clock that was years ahead hides no second screen',
    true,
    [
      [day, 'exchange', 1, 2],
      [day, 'use', 2],
      [9_999 * day, 'use', 1],
      [2 * day, 'use', 2],
      [2 * day + second, 'use', 1],
      [2 * day + 2 * second, 'use', 2],
    ],
  ],
])('%s', (_, isCopied, steps) => {
  test(isCopied ? 'copied' : 'stays', () => {
    const { use, exchange, isCopied: found } = gate();
    for (const [i, [at, what, generation, next]] of steps.entries()) {
      if (what === 'use') use(generation, at);
      else expect(exchange(generation, at), `step ${i}`).toBe(next);
      if (i < steps.length - 1) expect(found(), `step ${i}`).toBe(false);
    }
    expect(found()).toBe(isCopied);
  });
});

test('a credential of Postern 1.0 is exchanged at once', () => {
  const { use, exchange, isCopied } = gate(0);
  expect(exchange(0, 0)).toBe(1);
  use(1, second);
  // Of a read-only profile.
  expect(exchange(0, day)).toBe(2);
  use(2, day + second);
  expect(isCopied()).toBe(false);
});

test('nothing changes where nothing is new', () => {
  const { use, exchange, rotation } = gate();
  const begun = rotation();
  expect(use(1, 0)).toBe(begun);
  exchange(1, day);
  const issued = rotation();
  exchange(1, 2 * day);
  expect(rotation()).toBe(issued);
  use(2, 2 * day);
  expect(use(1, 2 * day + second)).toBe(rotation());
});

test('what comes back again and again leaves one gap', () => {
  const { use, exchange, rotation } = gate();
  for (const next of [2, 3, 4]) {
    exchange(1, next * day);
    use(next, next * day);
  }
  use(1, 5 * day);
  expect(rotation().left).toEqual([{ after: 1, until: 4, at: 5 * day }]);
});

/** A browser: what it sends, and what is on its disk. */
interface Screen {
  sends: number;
  stored: number;
  /** Everything that it sent until now, without what a power cut undid. */
  line: number[];
}

const newScreen = (generation: number): Screen => ({
  sends: generation,
  stored: generation,
  line: [generation],
});
const received = (screen: Screen, generation: number | undefined) => {
  if (generation === undefined || generation === screen.sends) return;
  screen.sends = generation;
  screen.line.push(generation);
};
const cutPower = (screen: Screen, back: number) => {
  const at = screen.line.lastIndexOf(back);
  screen.line = screen.line.slice(0, at + 1);
  screen.sends = back;
};

/** From a second to a month; most around the minute and the day that matter. */
const pause = fc.oneof(
  fc.integer({ min: 0, max: 3 * minute }),
  fc.integer({ min: day - minute, max: day + minute }),
  fc.integer({ min: 0, max: 30 * day }),
);

const happening = fc.record({
  pause,
  what: fc.constantFrom('use', 'exchange', 'lost answer', 'written', 'power cut', 'backup', 'under way'),
  /** Which of its earlier cookies a backup has. */
  which: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

describe('a screen alone', () => {
  test('is never ended, whatever is lost, and its store stays small', () => {
    assertCases(
      fc.property(fc.array(happening, { maxLength: 80 }), fc.boolean(), (happenings, isReadOnly) => {
        const { use, exchange, isCopied, rotation } = gate();
        const screen = newScreen(1);
        let at = 0;
        let changedAt = 0;
        for (const { pause: passed, what, which } of happenings) {
          at += passed;
          const before = screen.sends;
          if (what === 'use') use(screen.sends, at);
          else if (what === 'exchange') received(screen, exchange(screen.sends, at));
          else if (what === 'lost answer') exchange(screen.sends, at);
          else if (what === 'written') {
            if (!isReadOnly) screen.stored = screen.sends;
          } else if (what === 'power cut') cutPower(screen, screen.stored);
          else if (what === 'backup') {
            const back = screen.line[Math.floor(which * screen.line.length)] ?? 1;
            if (!isReadOnly) screen.stored = back;
            cutPower(screen, isReadOnly ? screen.stored : back);
          } else if (at - changedAt < grace) use(screen.line.at(-2) ?? 1, at);
          if (screen.sends !== before) changedAt = at;
          expect(isCopied()).toBe(false);
        }
        expect(JSON.stringify(rotation()).length).toBeLessThan(3_000);
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps its credentials from a gate that notes late', () => {
    assertCases(
      fc.property(fc.array(fc.tuple(happening, fc.boolean()), { maxLength: 60 }), (happenings) => {
        const { use, exchange, isCopied } = gate();
        const screen = newScreen(1);
        // Noted by the other gate, and not written yet.
        let unwritten: Array<readonly [generation: number, at: number]> = [];
        const tell = () => {
          for (const noted of unwritten.splice(0)) use(...noted);
        };
        let at = 0;
        for (const [{ pause: passed, what }, isElsewhere] of happenings) {
          if (passed >= minute) tell();
          at += passed;
          if (what === 'exchange') received(screen, exchange(screen.sends, at));
          else if (what === 'written') screen.stored = screen.sends;
          else if (what === 'power cut') cutPower(screen, screen.stored);
          else if (isElsewhere) unwritten.push([screen.sends, at]);
          else use(screen.sends, at);
          expect(isCopied()).toBe(false);
        }
        tell();
        expect(isCopied()).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('two screens with one credential', () => {
  /** Each uses what it gets, and asks the wall in turn. */
  test('are ended within three days', () => {
    assertCases(
      fc.property(
        fc.array(fc.record({ who: fc.boolean(), pause: fc.integer({ min: second, max: 5 * minute }) }), {
          minLength: 40,
          maxLength: 40,
        }),
        fc.integer({ min: 1, max: 5 }),
        (turns, daysBefore) => {
          const { use, exchange, isCopied } = gate();
          const [one, other] = [newScreen(1), newScreen(1)];
          let at = 0;
          // The copy is as old as that.
          for (let i = 1; i < daysBefore; i += 1) {
            at += day;
            received(one, exchange(one.sends, at));
            use(one.sends, at + second);
          }
          for (let today = 0; today < 3; today += 1) {
            at += day;
            for (const { who, pause: passed } of turns) {
              at += passed;
              const asks = who ? one : other;
              received(asks, exchange(asks.sends, at));
              use(asks.sends, at + 1);
            }
            // Neither is away for good.
            for (const asks of [one, other, one, other]) {
              at += 2 * minute;
              received(asks, exchange(asks.sends, at));
              use(asks.sends, at + 1);
            }
          }
          expect(isCopied()).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('are noticed once the real one has rotated, if the other only looks at pictures', () => {
    assertCases(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: grace, max: 30 * day }),
        (rotations, later) => {
          const { use, exchange, isCopied } = gate();
          const screen = newScreen(1);
          for (let i = 1; i <= rotations; i += 1) {
            received(screen, exchange(screen.sends, i * day));
            use(screen.sends, i * day + second);
          }
          const at = rotations * day + second + later;
          use(1, at);
          expect(isCopied()).toBe(false);
          use(screen.sends, at + second);
          expect(isCopied()).toBe(true);
        },
      ),
    );
  });
});
