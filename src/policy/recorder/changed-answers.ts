import type { Grant } from '../grant.ts';
import { isPlainObject } from '../json.ts';
import { isConfigurationPath, maskedConfiguration } from './masked-configuration.ts';
import { figuresFor } from './messages.ts';
import type { Reason } from '../reasons.ts';

/** The identity that an answer is for. */
export interface AnswerReader {
  readonly role: string;
  readonly grant: Grant;
}

/** A change that the gate makes to an answer of the recorder, if it passes that on itself. */
export interface AnswerChange {
  /** Why the request is refused if only a front passes the answer on unchanged. */
  readonly reason: Extract<Reason, 'configuration_unmasked' | 'stats_unnarrowed'>;
  /** @throws Error if the answer does not have the expected form */
  readonly change: (body: string, reader: AnswerReader) => string;
}

const masked: AnswerChange = {
  reason: 'configuration_unmasked',
  change: (body, reader) => JSON.stringify(maskedConfiguration(mapIn(body), reader)),
};

/** Fields that a dashboard needs: whether a stream has sound, and accepts any. The rest is addresses, and who is watching. */
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

// Recorders before 0.18 send everyone the figures of all cameras.
const narrowed: AnswerChange = {
  reason: 'stats_unnarrowed',
  change: (body, { grant }) => JSON.stringify(grant === 'all' ? mapIn(body) : figuresFor(mapIn(body), grant)),
};

/** Longer than any of the paths, with a slash at the end. */
const longestPath = 32;

/**
 * Paths are compared as any server could read them: with a slash at the end, or in capitals.
 * @returns undefined if the reader gets the answer unchanged
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
