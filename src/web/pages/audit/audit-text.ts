import { audit as words } from '#language/audit';
import type { AuditEventName, AuditRecord } from '../../api-client.ts';
import { nameText } from '../../ui/event-text.ts';
import { text } from '../../text.ts';

/** Every event, as the filter and the list call it. */
export function eventWords(): Readonly<Record<AuditEventName, string>> {
  return words.events;
}

/** An event of a later program is called what it is. */
export function eventText(event: string): string {
  return wordOf(eventWords(), event) ?? event;
}

export function whoText({ user, source }: AuditRecord): string {
  if (source === 'system') return words.program;
  return user ?? words.nobody;
}

export function whereText({ address, source }: AuditRecord): string | null {
  return address ?? (source === 'cli' ? words.commandLine : null);
}

export function sourceText(source: string | null): string | null {
  return source === null ? null : (wordOf(words.sources, source) ?? source);
}

/** What a reason means, of a decision or of an answer of the API. */
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
