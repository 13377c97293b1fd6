import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { equivalents, type Equivalent } from './mutation/equivalents.ts';
import { MutatedCopy } from './mutation/mutated-copy.ts';
import { mutationsOf, type Mutation } from './mutation/mutations.ts';
import { TestsOf } from './mutation/tests-of.ts';

/** The files that decide who gets access, and those that tell about it. */
const deciding = [
  'access',
  'accounts',
  'api',
  'audit',
  'features',
  'http',
  'policy',
  'store/account-columns.ts',
  'store/permit.ts',
  'store/used-once.ts',
].map((name) => `src/${name}`);

interface Mutant {
  readonly file: string;
  readonly mutation: Mutation;
  /** Its number among equal ones in the file. */
  readonly nth: number;
}

interface Tally {
  killed: number;
  survived: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many mutations, instead of all. */
    sample: { type: 'string' },
    /** Another one chooses others. */
    seed: { type: 'string', default: '1' },
    /** Percentage that must be noticed. */
    'at-least': { type: 'string', default: '0' },
  },
});
const [most, least] = [Number(values.sample ?? Number.POSITIVE_INFINITY), Number(values['at-least'])];
if (!(most > 0) || !(least >= 0 && least <= 100))
  throw new Error('--sample is a number above 0, and --at-least one from 0 to 100');
const print = (text: string) => process.stdout.write(`${text}\n`);

const files = (positionals.length > 0 ? positionals : deciding)
  .flatMap((path) => (statSync(path).isDirectory() ? globSync(`${path}/**/*.ts`) : [path]))
  .toSorted();
const all: readonly Mutant[] = files.flatMap((file) => {
  const seen = new Map<string, number>();
  return mutationsOf(file, readFileSync(file, 'utf8')).map((mutation) => {
    const key = JSON.stringify([mutation.was, mutation.becomes]);
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return { file, mutation, nth };
  });
});
const isListedAs = ({ file, mutation, nth }: Mutant, one: Equivalent) =>
  file === one.file && mutation.was === one.was && mutation.becomes === one.becomes && nth === (one.nth ?? 1);
const isEquivalent = (mutant: Mutant) => equivalents.some((one) => isListedAs(mutant, one));
const stale = equivalents.filter(
  (one) => files.includes(one.file) && !all.some((mutant) => isListedAs(mutant, one)),
);
const mutants = sampleOf(all.filter((mutant) => !isEquivalent(mutant)));
print(`${mutants.length} of ${all.length} mutations in ${files.length} files`);

const testsOf = new TestsOf('.');
const tallies = new Map<string, Tally>();
using copy = new MutatedCopy(process.cwd());
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    copy[Symbol.dispose]();
    process.exit(1);
  });

/** Milliseconds that tests took without a mutation, by their names. */
const durations = new Map<string, number>();

for (const mutant of mutants) {
  const folder = dirname(mutant.file);
  const tally = tallies.get(folder) ?? { killed: 0, survived: 0 };
  tallies.set(folder, tally);
  if (await isNoticed(mutant)) tally.killed += 1;
  else {
    tally.survived += 1;
    const { line, was, becomes } = mutant.mutation;
    print(`${mutant.file}:${line}\n  was      ${was}\n  becomes  ${becomes}`);
  }
}

const whole = { killed: 0, survived: 0 };
for (const [folder, { killed, survived }] of tallies) {
  print(`${folder.padEnd(24)} ${rateText({ killed, survived })}`);
  whole.killed += killed;
  whole.survived += survived;
}
print(`${'all'.padEnd(24)} ${rateText(whole)}`);
for (const { file, becomes } of stale)
  print(
    `${file}: no mutation makes \`${becomes}\` of it any more; remove it from script/mutation/equivalents.ts`,
  );
if (stale.length > 0 || percentOf(whole) < least) process.exitCode = 1;

async function isNoticed({ file, mutation }: Mutant): Promise<boolean> {
  const { near, far } = testsOf.find(file);
  for (const tests of [near, far]) {
    if (tests.length === 0) continue;
    const timeoutMs = 30_000 + 10 * (await durationOf(tests));
    if ((await copy.with(file, mutation, () => copy.run(tests, timeoutMs))) !== 'green') return true;
  }
  return false;
}

/** @throws when the tests fail without a mutation */
async function durationOf(tests: readonly string[]): Promise<number> {
  const key = tests.join(' ');
  const known = durations.get(key);
  if (known !== undefined) return known;
  const before = performance.now();
  const outcome = await copy.run(tests, 600_000);
  if (outcome !== 'green') throw new Error(`without any mutation, these tests are ${outcome}: ${key}`);
  const duration = performance.now() - before;
  durations.set(key, duration);
  return duration;
}

/** Those with the lowest hashes, so that a seed always gives the same ones. */
function sampleOf(from: readonly Mutant[]): readonly Mutant[] {
  const placeOf = ({ file, mutation: { was, becomes } }: Mutant) =>
    createHash('sha256')
      .update(JSON.stringify([values.seed, file, was, becomes]))
      .digest('hex');
  return from
    .map((mutant) => ({ mutant, place: placeOf(mutant) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, most)
    .map(({ mutant }) => mutant)
    .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.mutation.start - b.mutation.start));
}

function percentOf({ killed, survived }: Tally): number {
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
}

function rateText(tally: Tally): string {
  return `${tally.killed} of ${tally.killed + tally.survived} noticed (${percentOf(tally).toFixed(1)} %)`;
}
