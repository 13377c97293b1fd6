import type { May } from '../capability.ts';
import type { Grant } from '../grant.ts';
import { isPlainObject } from '../json.ts';
import { figuresFor, metricsWithoutCommands } from './figures.ts';
import { isConfigurationPath, maskedConfiguration } from './masked-configuration.ts';
import type { Reason } from '../reasons.ts';

/** The identity that an answer is for. */
export interface AnswerReader {
  readonly role: string;
  readonly grant: Grant;
  readonly may: May;
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

/**
 * Fields that a dashboard needs: whether a stream has sound, and accepts any, by which the recorder's UI offers the microphone. The rest is
 * addresses, and who is watching.
 */
const sourceless: AnswerChange = {
  reason: 'configuration_unmasked',
  change: (body, { may }) => {
    const { producers } = mapIn(body);
    const kept = Array.isArray(producers) ? producers.map((producer) => mediaOf(producer, may)) : [];
    return JSON.stringify({ producers: kept, consumers: [] });
  },
};

/** In go2rtc's words, as in `audio, sendonly, PCMA/8000`: a producer receives what a camera sends. */
function mediaOf(producer: unknown, may: May) {
  const medias = isPlainObject(producer) ? producer['medias'] : undefined;
  const isShown = (media: unknown) =>
    typeof media === 'string' && (may.has('talk') || /^[a-z]+, recvonly(?:,|$)/.test(media));
  return { medias: Array.isArray(medias) ? medias.filter(isShown) : [] };
}

// Recorders before 0.18 send everyone the figures of all cameras, and every release sends viewers commands.
const narrowed: AnswerChange = {
  reason: 'stats_unnarrowed',
  change: (body, { grant }) => JSON.stringify(figuresFor(mapIn(body), grant)),
};

const commandless: AnswerChange = {
  reason: 'stats_unnarrowed',
  change: metricsWithoutCommands,
};

/**
 * Paths are compared as any server could read them: with a slash at the end, or in capitals.
 * @returns undefined if the reader gets the answer unchanged
 */
export function answerChange(path: string, { role, grant }: AnswerReader): AnswerChange | undefined {
  const isAdmin = role === 'admin';
  // Only an admin's token may be limited to cameras.
  if (isAdmin && grant === 'all') return undefined;
  if (/^\/api\/stats\/?$/i.test(path)) return narrowed;
  if (isAdmin) return undefined;
  if (isConfigurationPath(path)) return masked;
  if (/^\/api\/metrics\/?$/i.test(path)) return commandless;
  return /^\/api\/go2rtc\/(?:api\/streams|streams\/[^/]+)\/?$/i.test(path) ? sourceless : undefined;
}

/**
 * Whether an answer with an error gets no body: go2rtc writes there why a stream does not open, with the address of the camera, and in some
 * notations its password.
 */
export function hidesErrors(path: string, { role }: Pick<AnswerReader, 'role'>): boolean {
  return role !== 'admin' && /^\/(?:live|api\/go2rtc)\//i.test(path);
}

function mapIn(body: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body);
  if (!isPlainObject(value)) throw new TypeError('the answer of the recorder is no JSON object');
  return value;
}
