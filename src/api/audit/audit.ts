import { Hono } from 'hono';
import type { Clock } from '../../clock.ts';
import { auditFilter, auditQuery, type AuditRecord, type AuditRecords } from '../../audit/audit-query.ts';
import type { AuditEvent } from '../../audit/audit-events.ts';
import { languageOf, type Language } from '../../language/language.ts';
import { reasonText } from '../../language/reason-text.ts';
import { validQuery } from '../../validation.ts';
import type { ApiEnvironment } from '../request-context.ts';

/** A record as the API gives it. */
export interface ToldRecord extends AuditRecord {
  /** What the reason means, where it is one of a refusal, in the reader's language. */
  readonly reason_meaning: string | null;
}

/** What the UI has a word for each of; no code. */
export type AuditEventName = AuditEvent;

export interface AuditDependencies {
  readonly auditRecords: AuditRecords;
  readonly clock: Clock;
}

/** `GET /postern/api/audit`, for admins: what happened, the newest first. Nothing here changes a record. */
export function auditRoutes({ auditRecords, clock }: AuditDependencies) {
  return new Hono<ApiEnvironment>().get('/', validQuery(auditQuery), async (c) => {
    const { records, next } = await auditRecords.findPage(auditFilter(c.req.valid('query'), clock.now()));
    const language = languageOf(c.req.header('accept-language'));
    return c.json({ records: records.map((record) => toldRecord(record, language)), next });
  });
}

export type AuditApi = ReturnType<typeof auditRoutes>;

function toldRecord(record: AuditRecord, language: Language): ToldRecord {
  const meaning = record.reason === null ? undefined : reasonText(record.reason, language)?.meaning;
  return { ...record, reason_meaning: meaning ?? null };
}
