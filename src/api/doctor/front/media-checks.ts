import { type Finding, faultsOr, finding, skipped } from '../check.ts';
import type { Examination, FrontCheck } from './examination.ts';
import { type ProbeAnswer, inWords, isSuccess } from './exchange.ts';
import { guardedPaths, type GuardedPath } from './guarded-paths.ts';

// A front may have a location of its own for any of these, which does not ask.

/** How many requests are on their way at a time: few enough for the limits of fronts. */
const atATime = 4;

/** Recordings, clips, live pictures and lists need a session, whatever location the front has for them. */
export const mediaGuarded: FrontCheck = {
  name: 'media-guarded',
  needs: 'guard',
  run: async (examination) => {
    const { first } = examination;
    if (isSuccess(first) || first.status >= 500)
      return [skipped(`GET / is ${inWords(first)} for everyone: see login-required`)];
    const places = [...Map.groupBy(guardedPaths(aCamera(examination)), ({ place }) => place).values()];
    const found: Finding[][] = [];
    // A connection each: a few at a time.
    const work = places.entries();
    const worker = async () => {
      for (const [index, paths] of work) found[index] = await tryPlace(examination, paths);
    };
    await Promise.all(Array.from({ length: atATime }, worker));
    const tried = found.flat();
    return [
      ...faultsOr(
        tried.filter(({ result }) => result !== 'skipped'),
        `GET ${tried.length} paths of recordings, clips, live pictures and lists`,
      ),
      ...tried.filter(({ result }) => result === 'skipped').slice(0, 1),
    ];
  },
};

/** A name that the gate knows, so that the rules of a camera apply. */
function aCamera({ options, context, session }: Examination): string {
  const known = 'missing' in session ? undefined : session.cameras[0];
  return known ?? context.configuration?.cameras?.[0] ?? options.cameras[0] ?? 'front_door';
}

/** Asks until one is open: one location serves them all. */
async function tryPlace(examination: Examination, paths: readonly GuardedPath[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of paths) {
    const found = await tryPath(examination, path);
    findings.push(found);
    if (found.result === 'FAULT') break;
  }
  return findings;
}

async function tryPath({ send, first }: Examination, path: GuardedPath): Promise<Finding> {
  const { target, place, upgrade } = path;
  const answer = await send({ target, headOnly: true, ...(upgrade && { upgrade }) });
  const sent = `GET ${target}${upgrade ? ' as a WebSocket' : ''}`;
  // Nothing to judge by: a limit of the front, or a server behind it that is away, which may be Postern's relay.
  if (answer.status === 0 || answer.status === 429 || answer.status >= 500)
    return skipped(`${sent} is ${inWords(answer)}: start Frigate, Postern and its relay, and try again`);
  const isOpen = !isRefused(answer, target, first);
  return finding(sent, 'refused', inWords(answer), isOpen && changeFor(place, answer));
}

/**
 * Whether Postern or a proxy in front refused a request. A recorder that was reached has no such file, or wants another request, so
 * that its 404 and 400 tell of a hole as its 200 does.
 */
function isRefused(answer: ProbeAnswer, target: string, first: ProbeAnswer): boolean {
  if (answer.status === 401 || answer.status === 403 || answer.status === first.status) return true;
  const [location] = answer.headers.get('location') ?? [];
  if (answer.status < 300 || answer.status >= 400 || location === undefined) return false;
  // A server adds the slash of a folder by itself.
  return !location.split(/[?#]/, 1)[0]?.endsWith(`${target}/`);
}

function changeFor(place: string, answer: ProbeAnswer): string {
  const how = isSuccess(answer) ? 'everyone may open' : 'the front does not ask Postern about';
  return `${how} ${place}: delete the location of ${place} in the front (nginx/postern/server.conf has all that are needed), or put include postern/gate.conf; into it`;
}
