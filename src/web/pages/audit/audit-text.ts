import type { AuditEventName, AuditRecord } from '../../api-client.ts';
import { nameText } from '../../ui/words.ts';
import { text } from '../../text.ts';

const words = text.audit;

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

export function whereText({ address, source }: AuditRecord): string | null {
  return address ?? (source === 'cli' ? words.commandLine : null);
}

export function sourceText(source: string | null): string | null {
  return source === null ? null : (wordOf(words.sources, source) ?? source);
}

/** The meaning of a reason, of a decision or of an API response. */
export function reasonText({ reason, reason_meaning: meaning }: AuditRecord): string | null {
  return meaning ?? (reason === null ? null : (wordOf(text.errors, reason) ?? null));
}

export function resultText(result: string): string {
  return wordOf(words.results, result) ?? nameText(result);
}

export function detailName(name: string): string {
  return wordOf(words.details, name) ?? nameText(name);
}

export function detailText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function wordOf(known: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
