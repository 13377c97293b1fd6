import { join } from 'node:path';
import { sessionToken, type NamedUser } from '../../test/support/session-tokens.ts';
import { count, inTurns, median, memory, microseconds, ratio, times } from './figures.ts';
import { cookieOf, startGate, type Gate } from './gate.ts';
import { askFully, type Load } from './load.ts';
import { residentMemory, temporaryDirectory } from './programs.ts';
import {
  cameras,
  makeRecorderDatabase,
  neighbourCameras,
  questionHeaders,
  writeLines,
  writeThumbnailQuestions,
} from './questions.ts';
import type { Measurement } from './targets.ts';

/** A home, and what each thing grows to, one at a time. */
const home = { users: 10, cameras: 10, sessions: 10, events: 10_000 };
const grown = { users: 100_000, cameras: 10_000, sessions: 100_000, events: 10_000_000 };
type Thing = keyof typeof home;
type Size = Readonly<Record<Thing, number>>;
const things = Object.keys(home) as Thing[];
const titles: Readonly<Record<Thing, (size: number) => string>> = {
  users: (size) => `${count(size)} users`,
  cameras: (size) => `${count(size)} cameras and roles`,
  sessions: (size) => `${count(size)} sessions`,
  events: (size) => `${count(size)} events`,
};

export const sizes: Measurement = {
  name: 'sizes',
  title: 'Growth',
  sentence:
    'Processor time of an answer. A home has ten users, cameras and sessions, and 10,000 events; then one of these grows. Each user asks for pictures of their own camera; for events, a role with cameras asks for thumbnails at random. Postern remembers 20,000 sessions and verifies others again.',
  async measure({ rounds, seconds, scale }) {
    const large = (thing: Thing) => Math.max(home[thing], Math.round(grown[thing] * scale));
    const small = await startHousehold(home);
    const variants: Record<string, () => Promise<{ readonly processor: number }>> = {};
    const gates: Partial<Record<Thing, number>> = {};
    for (const thing of things) {
      const size = { ...home, [thing]: large(thing) };
      const household = await startHousehold(size);
      gates[thing] = household.gate.pid;
      variants[`small ${thing}`] = async () => askFully(small.load(thing), seconds, small.gate.pid);
      variants[`large ${thing}`] = async () => askFully(household.load(thing), seconds, household.gate.pid);
    }
    const figures = await inTurns(Math.min(3, rounds), variants);
    const of = (variant: string) => figures[variant] ?? [];
    const growth = (thing: Thing) => ratio(of(`large ${thing}`), of(`small ${thing}`), 'processor');
    return {
      says: `With ${titles.users(large('users'))}, an answer takes ${times(growth('users'))} the processor time of a home's, and with ${titles.events(large('events'))} ${times(growth('events'))}.`,
      rows: [
        ['', 'at home', 'grown', 'against home', 'memory'],
        ...things.map((thing) => [
          titles[thing](large(thing)),
          microseconds(median(of(`small ${thing}`), 'processor')),
          microseconds(median(of(`large ${thing}`), 'processor')),
          times(growth(thing)),
          memory(residentMemory(gates[thing] ?? 0)),
        ]),
      ],
    };
  },
};

/** Enough that memory holds what many requests leave behind. */
const lineCount = 200_000;

async function startHousehold(size: Size): Promise<{ gate: Gate; load: (thing: Thing) => Load }> {
  const directory = temporaryDirectory('household');
  const database = join(directory, 'recorder.db');
  makeRecorderDatabase(database, size.events);
  // Many cameras have some users and sessions, few enough that Postern remembers them all.
  const least = Math.min(size.cameras, 1_000);
  const [userCount, sessionCount] = [Math.max(size.users, least), Math.max(size.sessions, least)];
  const ofUser = (user: number) => (user * 7_919) % size.cameras;
  const own = Array.from({ length: size.cameras }, (_, n) => [`role_${n}`, [`camera_${n}`]] as const);
  const config = {
    cameras: [...cameras, ...own.flatMap(([, names]) => names)],
    auth: { roles: { neighbour: neighbourCameras, ...Object.fromEntries(own) } },
    events: { database },
  };
  const users = Array.from({ length: userCount }, (_, n): NamedUser => [`user_${n}`, `role_${ofUser(n)}`]);
  const gate = await startGate(config, { users });
  const tokens = Array.from({ length: sessionCount }, (_, n) =>
    sessionToken(`user_${n % userCount}`, `role_${ofUser(n % userCount)}`),
  );
  const pictures = writeLines(join(directory, 'pictures'), lineCount, (n) => {
    const session = n % sessionCount;
    return `api/camera_${ofUser(session % userCount)}/latest.webp?cache=${n}\t${tokens[session]}`;
  });
  const thumbnails = writeThumbnailQuestions(join(directory, 'thumbnails'), size.events, lineCount);
  const load = (thing: Thing) =>
    thing === 'events'
      ? { ...gate, headers: questionHeaders(cookieOf('neighbour')), lines: thumbnails }
      : { ...gate, headers: questionHeaders('session_token={2}'), lines: pictures };
  return { gate, load };
}
