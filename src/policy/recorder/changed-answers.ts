import type { Grant } from '../grant.ts';
import { isPlainObject } from '../json.ts';
import { isConfigurationPath, maskedConfiguration } from './masked-configuration.ts';
import { figuresFor } from './messages.ts';
import type { Reason } from '../reasons.ts';

/** Who reads an answer. */
export interface AnswerReader {
  readonly role: string;
  readonly grant: Grant;
}

/** What the gate makes of an answer of the recorder, where it passes that on itself. */
export interface AnswerChange {
  /** Why the request is refused where only a front passes the answer on, which changes nothing. */
  readonly reason: Extract<Reason, 'configuration_unmasked' | 'stats_unnarrowed'>;
  /** @throws Error when the answer is not what the path is for */
  readonly change: (body: string, reader: AnswerReader) => string;
}

const masked: AnswerChange = {
  reason: 'configuration_unmasked',
  change: (body, reader) => JSON.stringify(maskedConfiguration(mapIn(body), reader)),
};

/** What a dashboard asks for: whether a stream has sound, and takes any. All else is addresses, and who watches. */
const sourceless: AnswerChange = {
  reason: 'configuration_unmasked',
  change: (body) => {
    const { producers } = mapIn(body);
    const kept = Array.isArray(producers) ? producers.map(mediaOf) : [];
    return JSON.stringify({ producers: kept, consumers: [] });
  },
};

function mediaOf(producer: unknown) {
  const medias = isPlainObject(producer) ? producer['medias'] : undefined;
  return { medias: Array.isArray(medias) ? medias.filter((media) => typeof media === 'string') : [] };
}

// A recorder before 0.18 answers everyone with the figures of all cameras.
const narrowed: AnswerChange = {
  reason: 'stats_unnarrowed',
  change: (body, { grant }) => JSON.stringify(grant === 'all' ? mapIn(body) : figuresFor(mapIn(body), grant)),
};

/** Longer than any path that is looked for, with a slash at its end. */
const longestPath = 32;

/**
 * Paths are compared as any server could read them: with a slash at the end, or in capitals.
 * @returns undefined when the reader gets the answer as it is
 */
export function answerChange(path: string, { role, grant }: AnswerReader): AnswerChange | undefined {
  if (path.length > longestPath) return undefined;
  if (role !== 'admin' && isConfigurationPath(path)) return masked;
  if (role !== 'admin' && /^\/api\/go2rtc\/api\/streams\/?$/i.test(path)) return sourceless;
  return grant !== 'all' && /^\/api\/stats\/?$/i.test(path) ? narrowed : undefined;
}

function mapIn(body: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body);
  if (!isPlainObject(value)) throw new TypeError('the answer of the recorder is no JSON object');
  return value;
}
