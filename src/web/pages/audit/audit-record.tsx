import { isPersonalRoleName } from '../../../policy/names.ts';
import type { AuditEventName, AuditRecord } from '../../api-client.ts';
import { text } from '../../text.ts';
import { Modal } from '../../ui/forms/modal.tsx';
import { roleText } from '../../ui/roles/role-access.ts';
import { decisionPath } from '../../ui/roles/role-paths.ts';
import { Facts, type Fact } from '../../ui/section.tsx';
import { timeText } from '../../ui/time-text.ts';
import { nameText } from '../../ui/words.ts';

const words = text.audit;

interface AuditDialogProps {
  readonly record: AuditRecord;
  readonly isRefusal: boolean;
  readonly onClose: () => void;
}

/** Everything in a record. */
export function AuditDialog({ record, isRefusal, onClose }: AuditDialogProps) {
  const { reason, decision } = record;
  const meaning = reasonText(record);
  const facts: readonly Fact[] = [
    [words.time, timeText(Date.parse(record.time) / 1000)],
    [words.result, resultText(record.result)],
    [words.who, whoText(record)],
    [words.role, record.role && roleText(record.role)],
    [words.knownBy, sourceText(record.source)],
    [words.from, whereText(record)],
    [words.on, objectText(record)],
    [
      words.reason,
      reason === null ? null : (
        <>
          <code>{reason}</code>
          {meaning !== null && `: ${meaning}`}
        </>
      ),
    ],
    ...Object.entries(record.detail).map(
      ([name, value]) => [detailName(name), detailText(name, value)] as const,
    ),
    [words.decision, decision === null ? null : <code>{decision}</code>],
    [words.record, String(record.id)],
    [words.event, <code>{record.event}</code>],
  ];
  return (
    <Modal title={eventText(record.event)} wide onClose={onClose}>
      <Facts facts={facts} />
      {isRefusal && decision !== null && (
        <p>
          <a class="button outline" href={decisionPath(decision)}>
            {words.why}
          </a>
        </p>
      )}
    </Modal>
  );
}

/** Every event with its name in the filter and the list. */
export function eventWords(): Readonly<Record<AuditEventName, string>> {
  return words.events;
}

/** An event of a later program keeps its raw name. */
export function eventText(event: string): string {
  return wordOf(eventWords(), event) ?? event;
}

export function whoText({ user, source }: AuditRecord): string {
  if (source === 'system') return words.program;
  return user ?? words.noUser;
}

export function objectText({ event, object, detail }: AuditRecord): string | null {
  if (typeof detail['invited'] === 'string') return detail['invited'];
  return object === null ? null : roleOr(object, /^(recorder_)?role_/.test(event));
}

/** A role that was made for one person has no name to read. */
function roleOr(text: string, isRole: boolean): string {
  return isRole ? roleText(text) : text;
}

export function whereText({ address, source }: AuditRecord): string | null {
  return address ?? (source === 'cli' ? words.commandLine : null);
}

function sourceText(source: string | null): string | null {
  return source === null ? null : (wordOf(words.sources, source) ?? source);
}

/** The meaning of a reason, of a decision or of an API response. */
function reasonText({ reason, reason_meaning: meaning }: AuditRecord): string | null {
  return meaning ?? (reason === null ? null : (wordOf(text.errors, reason) ?? null));
}

function resultText(result: string): string {
  return wordOf(words.results, result) ?? nameText(result);
}

function detailName(name: string): string {
  return wordOf(words.details, name) ?? nameText(name);
}

function detailText(name: string, value: unknown): string {
  const values = (Array.isArray(value) ? value : [value]).map(String);
  // The name of a renamed user stands there too.
  const isRole = (one: string) => /role/.test(name) || (name === 'former' && isPersonalRoleName(one));
  return values.map((one) => roleOr(one, isRole(one))).join(', ');
}

function wordOf(known: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
