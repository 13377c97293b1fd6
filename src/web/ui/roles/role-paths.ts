import { gatePath } from '../../path-prefix.ts';
import type { Capability } from './role-access.ts';

/** A user, or anyone with a role. */
export type Who = { readonly user: string } | { readonly role: string };

interface Question {
  readonly camera?: string;
  readonly to?: Capability;
}

/** @returns the page that shows whether someone may do something with a camera, and why */
export function whyPath(who?: Who, question: Question = {}): string {
  return withQuery('/settings/why', { ...who, ...question });
}

/** @returns the page that explains a decision */
export function decisionPath(decision: string): string {
  return withQuery('/settings/why', { decision });
}

/** @returns the page that shows what someone sees */
export function viewAsPath(who: Who): string {
  return withQuery('/settings/as', { ...who });
}

function withQuery(page: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? gatePath(page) : `${gatePath(page)}?${search}`;
}

/** @param add cameras that the page offers to add */
export function rolePath(name: string, add: readonly string[] = []): string {
  const path = gatePath(`/settings/access/${encodeURIComponent(name)}`);
  return add.length === 0 ? path : `${path}?${new URLSearchParams({ add: add.join(',') }).toString()}`;
}

/** @returns the page of a person */
export function personPath(name: string): string {
  return gatePath(`/people/${encodeURIComponent(name)}`);
}

export function usersOfRole(role: string): string {
  return `${gatePath('/people')}?${new URLSearchParams({ role }).toString()}`;
}
