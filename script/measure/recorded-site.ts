import { join } from 'node:path';
import { answerOf, authorizationRequest } from './authorization-requests.ts';
import { makeRecorderDatabase, cameras, neighbourCameras } from './recorder-content.ts';
import { another, templatesOf, writeRequests, type Template, type Visitor } from './recorder-requests.ts';
import { startRecorder, type Recorder } from './recorder.ts';
import { temporaryDirectory } from './running.ts';
import { sessionToken, viewerToken } from './session-tokens.ts';

/** A recorder with its database, and the configuration of a gate before it. */
export interface RecordedSite {
  readonly directory: string;
  readonly recorder: Recorder;
  readonly config: Readonly<Record<string, unknown>>;
  /** The same with its embedded front, without TLS. */
  readonly fronted: Readonly<Record<string, unknown>>;
}

/** @param events a neighbour may see two of five */
export async function openRecordedSite(events = 100_000): Promise<RecordedSite> {
  const directory = temporaryDirectory('site');
  const database = join(directory, 'recorder.db');
  makeRecorderDatabase(database, events);
  const recorder = await startRecorder();
  const config = {
    cameras,
    auth: { roles: { neighbour: neighbourCameras } },
    events: { database },
    upstream: recorder.brief,
  };
  const fronted = {
    ...config,
    upstream: `http://${recorder.media}`,
    networking: { listen: { authenticated: '127.0.0.1:0', internal: 'off' } },
    tls: { enabled: false },
  };
  return { directory, recorder, config, fronted };
}

/** A session token of a user with the role. */
export function tokenOf(visitor: Visitor): string {
  return visitor === 'viewer' ? viewerToken() : sessionToken(visitor, visitor);
}

/** The gate's answers to the requests of the recorder's UI. */
interface AskedTemplates {
  readonly allowed: readonly Template[];
  readonly refused: readonly Template[];
}

/**
 * Asks the gate about one request of each template.
 * @param identity header lines of the visitor
 * @throws when two that are allowed differ by more than the id of the decision: the bare server has one answer
 */
async function askAboutTemplates(
  gate: string,
  visitor: Visitor,
  identity: Readonly<Record<string, string>>,
): Promise<AskedTemplates> {
  const allowed: Template[] = [];
  const refused: Template[] = [];
  const forms = new Set<string>();
  for (const template of templatesOf(visitor)) {
    const headers = authorizationRequest(identity, another(template, visitor));
    const { status, lines } = await answerOf(gate, headers);
    if (status === 200) forms.add(lines.filter((_, i) => lines[i - (i % 2)] !== 'x-postern-decision').join());
    (status === 200 ? allowed : refused).push(template);
  }
  if (forms.size !== 1) throw new Error(`answers of several forms: ${[...forms].join('; ')}`);
  return { allowed, refused };
}

/** Enough that no run of a few seconds repeats a URL, except those without parameters. */
const requestCount = 300_000;

interface Wanted {
  readonly count?: number;
  readonly isAsked?: (uri: string) => boolean;
}

/** Writes requests that the gate allows. @returns what it refuses, and the file */
export async function writeAllowedRequests(
  path: string,
  gate: string,
  visitor: Visitor,
  identity: Readonly<Record<string, string>>,
  { count = requestCount, isAsked = () => true }: Wanted = {},
): Promise<{ readonly lines: string; readonly refused: readonly Template[] }> {
  const { allowed, refused } = await askAboutTemplates(gate, visitor, identity);
  const asked = allowed.filter(({ uri }) => isAsked(uri));
  return { lines: writeRequests(path, visitor, asked, count), refused };
}

/** Waits until the gate has verified the role `neighbour`. */
export async function roleVerified(gate: string): Promise<void> {
  const headers = authorizationRequest({ Cookie: `session_token=${tokenOf('neighbour')}` }, '/api/labels');
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await answerOf(gate, headers)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(
    `the gate has not verified the role neighbour: ${JSON.stringify(await answerOf(gate, headers))}`,
  );
}
