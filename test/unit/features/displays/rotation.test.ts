import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  beginRotation,
  earlierGeneration,
  grace,
  isDue,
  noteUse,
  rotationColumns,
  rotationOf,
  type Rotation,
} from '../../../../src/features/displays/rotation.ts';
import type { DisplayGeneration } from '../../../../src/policy/token-scope.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

interface Credential extends DisplayGeneration {
  readonly issuedAt: number | undefined;
}

const first: Credential = { number: 1, key: 'P', parent: undefined, issuedAt: 0 };

/** The gate's side: uses are noted, and exchanged as the wall does it. */
function gate(begun: Credential = first) {
  let rotation: Rotation | 'copied' = beginRotation(begun, 0);
  let issued = 0;
  const use = (credential: DisplayGeneration, at: number) => {
    if (rotation !== 'copied') rotation = noteUse(rotation, credential, at);
    return rotation;
  };
  return {
    use,
    /** @returns undefined when the credential stays */
    exchange: (credential: Credential, at: number): Credential | undefined => {
      if (use(credential, at) === 'copied' || !isDue(credential.issuedAt, at)) return undefined;
      issued += 1;
      const { number, key: parent } = credential;
      return { number: number + 1, key: `k${issued}`, parent, issuedAt: at };
    },
    isCopied: () => rotation === 'copied',
    rotation: () => rotation as Rotation,
  };
}

type Step =
  | readonly [at: number, what: 'use', name: string]
  | readonly [at: number, what: 'exchange', name: string, next: string | undefined];

describe.each<[what: string, isCopied: boolean, steps: readonly Step[]]>([
  [
    'a new credential is exchanged after a day',
    false,
    [
      [day - second, 'exchange', 'P', undefined],
      [day, 'exchange', 'P', 'A'],
      [day + second, 'use', 'A'],
      [day + minute, 'exchange', 'A', undefined],
      [2 * day - second, 'exchange', 'A', undefined],
      [2 * day, 'exchange', 'A', 'AA'],
    ],
  ],
  [
    'lost answers, and two tabs at once, get a successor of their own each',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'exchange', 'P', 'B'],
      [day + hour, 'exchange', 'P', 'C'],
      [40 * day, 'exchange', 'P', 'D'],
      [40 * day + second, 'use', 'D'],
    ],
  ],
  [
    'two tabs use both successors, and go on with either',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'exchange', 'P', 'B'],
      [day + second, 'use', 'A'],
      [day + 2 * second, 'use', 'B'],
      [day + 3 * second, 'use', 'A'],
      [day + 40 * second, 'use', 'B'],
      [day + hour, 'use', 'A'],
      [day + 2 * hour, 'use', 'A'],
    ],
  ],
  [
    'a request that was under way when the next one was used changes nothing, and is answered as before',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [day + second, 'use', 'A'],
      [day + second + grace - 1, 'use', 'P'],
      [day + second + grace - 1, 'exchange', 'P', 'B'],
      [day + 2 * minute, 'use', 'A'],
    ],
  ],
  [
    'a power cut brings the previous one back, which gets a fresh one',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [day + second, 'use', 'A'],
      [day + minute + second, 'exchange', 'P', 'B'],
      [day + minute + 2 * second, 'exchange', 'P', 'C'],
      [day + 2 * minute, 'use', 'C'],
    ],
  ],
  [
    'a power cut within the minute is no second screen either',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [day + second, 'use', 'A'],
      [day + 10 * second, 'exchange', 'P', 'B'],
      [day + 11 * second, 'use', 'B'],
      [day + 80 * second, 'use', 'B'],
      [2 * day, 'exchange', 'P', 'C'],
      [2 * day + second, 'use', 'C'],
    ],
  ],
  [
    'an unused successor may take its turn late',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'exchange', 'P', 'B'],
      [day + second, 'use', 'A'],
      [day + hour, 'use', 'B'],
      [day + 2 * hour, 'use', 'B'],
    ],
  ],
  [
    'a successor used again after another one took its turn proves two screens',
    true,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'exchange', 'P', 'B'],
      [day + second, 'use', 'A'],
      [day + hour, 'use', 'B'],
      [day + hour + second, 'use', 'A'],
    ],
  ],
  [
    'a successor that waited for the other one to be used within the minute proves two screens later',
    true,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'exchange', 'P', 'B'],
      [day + second, 'use', 'A'],
      [day + 30 * second, 'use', 'B'],
      [day + 2 * minute, 'use', 'A'],
      [day + 3 * minute, 'use', 'B'],
    ],
  ],
  [
    'one of many successors in stock proves two screens, even if it is used only once',
    true,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'exchange', 'P', 'B'],
      [day, 'exchange', 'P', 'C'],
      [day + second, 'use', 'A'],
      [day + 30 * second, 'use', 'B'],
      [day + 2 * minute, 'use', 'A'],
      [day + 3 * minute, 'use', 'C'],
      [day + 4 * minute, 'use', 'A'],
    ],
  ],
  [
    'what replaced a lost credential is lost with it',
    true,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'use', 'A'],
      [2 * day, 'exchange', 'A', 'AA'],
      [2 * day + hour, 'use', 'P'],
      [2 * day + 2 * hour, 'use', 'AA'],
    ],
  ],
  [
    'what was left behind proves two screens, however late it is used',
    true,
    [
      [day, 'exchange', 'P', 'A'],
      [day + second, 'use', 'A'],
      [day + hour, 'use', 'P'],
      [40 * day, 'use', 'A'],
    ],
  ],
  [
    'an older gap is remembered beside a later one',
    true,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'use', 'A'],
      [2 * day, 'exchange', 'P', 'B'],
      [2 * day, 'use', 'B'],
      [3 * day, 'exchange', 'B', 'BA'],
      [3 * day, 'use', 'BA'],
      [4 * day, 'exchange', 'B', 'BB'],
      [4 * day, 'use', 'BB'],
      [5 * day, 'use', 'A'],
    ],
  ],
  [
    'a read-only profile comes back with the same one each morning',
    false,
    [2, 3, 4, 5, 6].flatMap((morning): Step[] => [
      [morning * day, 'exchange', 'P', `A${morning}`],
      [morning * day + second, 'use', `A${morning}`],
      [morning * day + 8 * hour, 'use', `A${morning}`],
    ]),
  ],
  [
    'a use that another gate notes late, from before the return, proves nothing',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [day + second, 'use', 'A'],
      [day + hour, 'use', 'P'],
      [day + 2 * second, 'use', 'A'],
      [day + 3 * second, 'use', 'A'],
      [day + 2 * hour, 'use', 'P'],
    ],
  ],
  [
    'a first use that another gate notes late leaves nothing behind',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'exchange', 'P', 'B'],
      [day + 10 * minute, 'use', 'B'],
      [day + second, 'use', 'A'],
      [day + hour, 'use', 'B'],
    ],
  ],
  [
    'a clock that was years ahead keeps no screen from coming back',
    false,
    [
      [day, 'exchange', 'P', 'A'],
      [9_999 * day, 'use', 'A'],
      [2 * day, 'use', 'A'],
      [3 * day, 'exchange', 'P', 'B'],
      [3 * day + second, 'use', 'B'],
    ],
  ],
  [
    'a clock that was years ahead keeps no credential in use',
    false,
    [
      [9_999 * day, 'exchange', 'P', 'A'],
      [9_999 * day, 'use', 'A'],
      [2 * day, 'exchange', 'A', 'AA'],
    ],
  ],
  [
    'a clock that was years ahead hides no second screen',
    true,
    [
      [day, 'exchange', 'P', 'A'],
      [day, 'use', 'A'],
      [9_999 * day, 'use', 'P'],
      [2 * day, 'use', 'A'],
      [2 * day + second, 'use', 'P'],
      [2 * day + 2 * second, 'use', 'A'],
    ],
  ],
])('%s', (_, isCopied, steps) => {
  test(isCopied ? 'copied' : 'stays', () => {
    const { use, exchange, isCopied: found } = gate();
    const known = new Map([['P', first]]);
    const named = (name: string) => known.get(name) ?? expect.fail(name);
    for (const [i, [at, what, name, next]] of steps.entries()) {
      if (what === 'use') use(named(name), at);
      else {
        const issued = exchange(named(name), at);
        expect(issued === undefined, `step ${i}`).toBe(next === undefined);
        if (issued !== undefined && next !== undefined) known.set(next, issued);
      }
      if (i < steps.length - 1) expect(found(), `step ${i}`).toBe(false);
    }
    expect(found()).toBe(isCopied);
  });
});

const earlier = (number: number): Credential => ({ ...earlierGeneration(number), issuedAt: undefined });

test.each([
  ['Postern 1.0', 0],
  ['a build before 2.0.0', 7],
])('a credential of %s is exchanged at once', (_, number) => {
  const { use, exchange, isCopied } = gate(earlier(number));
  const [one, other] = [exchange(earlier(number), 0), exchange(earlier(number), day)];
  expect(one).toMatchObject({ number: number + 1, parent: String(number) });
  use(one ?? first, second);
  // Of a read-only profile.
  use(other ?? first, day + second);
  expect(isCopied()).toBe(false);
  use(one ?? first, day + 2 * second);
  expect(isCopied()).toBe(true);
});

describe('a row of a build before 2.0.0', () => {
  const row = {
    generation: 9,
    rotated_at: 0,
    rotation: JSON.stringify({
      current: 7,
      since: hour,
      spent: 9,
      left: [
        { after: 3, until: 5, at: hour },
        { after: 7, until: 9, at: hour },
      ],
    }),
  };

  test.each<[generation: number, isCopied: boolean]>([
    [3, false],
    [4, true],
    [5, true],
    [6, false],
    [7, false],
    [8, true],
    [9, true],
    [10, false],
  ])('knows generation %i', (generation, isCopied) => {
    expect(noteUse(rotationOf(row), earlierGeneration(generation), day) === 'copied').toBe(isCopied);
  });

  test('without a rotation begins with its generation', () => {
    const rotation = rotationOf({ ...row, rotation: null });
    expect(noteUse(rotation, earlierGeneration(9), day)).toBe(rotation);
  });
});

test('a rotation is read as it was written', () => {
  const { use, exchange, rotation } = gate();
  use(exchange(first, day) ?? first, day);
  use(first, 2 * day);
  expect(rotation()).toMatchObject({ line: [{ key: 'P' }], left: [{ key: 'k1' }] });
  expect(rotationOf(rotationColumns(rotation()))).toEqual(rotation());
});

test('a store that was restored learns from the screen', () => {
  const { use, isCopied } = gate();
  const [later, next] = [9, 10].map((number) => ({ number, key: `k${number}`, parent: `k${number - 1}` }));
  for (const [credential, at] of [
    [later, day],
    [next, 2 * day],
    [later, 3 * day],
    [first, 4 * day],
  ] as const)
    use(credential ?? first, at);
  expect(isCopied()).toBe(false);
});

test('nothing changes where nothing is new', () => {
  const { use, exchange, rotation } = gate();
  const begun = rotation();
  const next = exchange(first, day) ?? first;
  exchange(first, 2 * day);
  expect(rotation()).toBe(begun);
  use(next, 2 * day);
  expect(use(first, 2 * day + second)).toBe(rotation());
});

/** A browser: what it sends, and what is on its disk. */
interface Screen {
  sends: Credential;
  stored: Credential;
  /** Everything that it sent until now, without what a power cut undid. */
  line: Credential[];
}

const newScreen = (credential: Credential): Screen => ({
  sends: credential,
  stored: credential,
  line: [credential],
});
const received = (screen: Screen, credential: Credential | undefined) => {
  if (credential === undefined) return;
  screen.sends = credential;
  screen.line.push(credential);
};
const cutPower = (screen: Screen, back: Credential) => {
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
  what: fc.constantFrom(
    'use',
    'exchange',
    'two tabs',
    'lost answer',
    'written',
    'power cut',
    'backup',
    'under way',
  ),
  /** Which of its earlier cookies a backup has, and how two tabs mix. */
  which: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

/** Both tabs exchange, and either answer comes first; requests with the first one may arrive after those with the second. */
function exchangeInTwoTabs(
  screen: Screen,
  { exchange, use }: Pick<ReturnType<typeof gate>, 'exchange' | 'use'>,
  at: number,
  which: number,
) {
  const answers = [exchange(screen.sends, at), exchange(screen.sends, at)];
  if (which < 0.5) answers.reverse();
  const [one, other] = answers;
  if (one === undefined || other === undefined) return;
  received(screen, other);
  const order = Math.floor(which * 8) % 4;
  const sent = [[], [one], [one, other], [other, one]][order] ?? [];
  for (const [i, credential] of sent.entries()) use(credential, at + i);
}

describe('a screen alone', () => {
  test('is never ended, whatever is lost, and its store stays small', () => {
    assertCases(
      fc.property(fc.array(happening, { maxLength: 80 }), fc.boolean(), (happenings, isReadOnly) => {
        const asked = gate();
        const { use, exchange, isCopied, rotation } = asked;
        const screen = newScreen(first);
        let at = 0;
        let exchangedAt = -grace;
        for (const { pause: passed, what, which } of happenings) {
          at += passed;
          const before = screen.sends;
          if (what === 'use') use(screen.sends, at);
          else if (what === 'exchange') received(screen, exchange(screen.sends, at));
          else if (what === 'two tabs') exchangeInTwoTabs(screen, asked, at, which);
          else if (what === 'lost answer') exchange(screen.sends, at);
          else if (what === 'written') {
            if (!isReadOnly) screen.stored = screen.sends;
          } else if (what === 'power cut') cutPower(screen, screen.stored);
          else if (what === 'backup') {
            const back = screen.line[Math.floor(which * screen.line.length)] ?? first;
            if (!isReadOnly) screen.stored = back;
            cutPower(screen, isReadOnly ? screen.stored : back);
          } else if (at - exchangedAt < grace) use(screen.line.at(-2) ?? first, at);
          if (screen.sends !== before) exchangedAt = what === 'exchange' || what === 'two tabs' ? at : -grace;
          expect(isCopied()).toBe(false);
        }
        expect(rotationColumns(rotation()).rotation?.length).toBeLessThan(3_500);
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps its credentials from a gate that notes late', () => {
    assertCases(
      fc.property(fc.array(fc.tuple(happening, fc.boolean()), { maxLength: 60 }), (happenings) => {
        const { use, exchange, isCopied } = gate();
        const screen = newScreen(first);
        // Noted by the other gate, and not written yet.
        let unwritten: Array<readonly [credential: Credential, at: number]> = [];
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
  test('are ended within two days', () => {
    assertCases(
      fc.property(
        fc.array(fc.record({ who: fc.boolean(), pause: fc.integer({ min: second, max: 5 * minute }) }), {
          minLength: 40,
          maxLength: 40,
        }),
        fc.integer({ min: 1, max: 5 }),
        (turns, daysBefore) => {
          const { use, exchange, isCopied } = gate();
          const [one, other] = [newScreen(first), newScreen(first)];
          let at = 0;
          const ask = (asks: Screen) => {
            received(asks, exchange(asks.sends, at));
            use(asks.sends, at + 1);
          };
          // The copy is as old as that.
          for (let i = 1; i < daysBefore; i += 1) {
            at += day;
            ask(one);
          }
          for (let today = 0; today < 2; today += 1) {
            at += day;
            for (const { who, pause: passed } of turns) {
              at += passed;
              ask(who ? one : other);
            }
            // Neither is away for good.
            for (const asks of [one, other, one, other]) {
              at += 2 * minute;
              ask(asks);
            }
          }
          expect(isCopied()).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  /**
   * The other one asks and waits as it likes, has everything that it ever got, and learns nothing from an answer: each is the same
   * as if the screen had never asked.
   */
  test('are noticed, however patient the other one is', () => {
    assertCases(
      fc.property(
        fc.array(
          fc.record({
            pause: fc.oneof(fc.integer({ min: 1, max: minute }), fc.integer({ min: 1, max: day })),
            what: fc.constantFrom('use', 'exchange', 'stock'),
            which: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
          }),
          { minLength: 1, maxLength: 30 },
        ),
        (steps) => {
          const { use, exchange, isCopied } = gate();
          const screen = newScreen(first);
          const has: Credential[] = [first];
          let at = 0;
          let rotatedAt = Number.POSITIVE_INFINITY;
          let asked = 0;
          const askUntil = (until: number) => {
            for (; asked + minute <= until && !isCopied(); asked += minute) {
              const next = exchange(screen.sends, asked + minute);
              received(screen, next);
              if (next !== undefined) rotatedAt = Math.min(rotatedAt, asked + minute);
              use(screen.sends, asked + minute);
            }
          };
          for (const { pause: passed, what, which } of steps) {
            at += passed;
            askUntil(at);
            if (isCopied()) return;
            const credential = has[Math.floor(which * has.length)] ?? first;
            const rotated = rotatedAt;
            for (let i = 0; i < (what === 'stock' ? 5 : 1); i += 1) {
              const next = what === 'use' ? undefined : exchange(credential, at);
              if (next !== undefined) has.push(next);
            }
            if (what === 'use') use(credential, at);
            if (at < rotated + 2 * grace + minute) continue;
            // It has had no credential in use since then: whichever it uses now shows.
            askUntil(at + 2 * minute);
            expect(isCopied()).toBe(true);
            return;
          }
        },
      ),
      { numRuns: 2_000, reaching: 0.3 },
    );
  });

  test('are noticed once the real one has rotated, if the other only looks at pictures', () => {
    assertCases(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: grace, max: 30 * day }),
        (rotations, later) => {
          const { use, exchange, isCopied } = gate();
          const screen = newScreen(first);
          for (let i = 1; i <= rotations; i += 1) {
            received(screen, exchange(screen.sends, i * day));
            use(screen.sends, i * day + second);
          }
          const at = rotations * day + second + later;
          use(first, at);
          expect(isCopied()).toBe(false);
          use(screen.sends, at + second);
          expect(isCopied()).toBe(true);
        },
      ),
    );
  });
});
