import { createHash } from 'node:crypto';
import type { Configuration } from '../../config/configuration.ts';
import { accentStyle } from '../../policy/accent.ts';

/** The look of this site's pages, those outside the gate too. */
export interface House {
  readonly name: string;
  readonly hasPicture: boolean;
  /** Whether the operator has set any of it. */
  readonly isOwn: boolean;
  /** A style sheet, and its source in a Content-Security-Policy. Absent for the colour that comes with Postern. */
  readonly style: { readonly text: string; readonly source: string } | undefined;
}

const defaultName = 'Postern';

export function houseOf({ name, logo, accent }: Omit<Configuration['ui'], 'landing'>): House {
  const text = accent === undefined ? undefined : accentStyle(accent);
  return {
    name: name ?? defaultName,
    hasPicture: logo !== undefined,
    isOwn: (name ?? logo ?? accent) !== undefined,
    style: text === undefined ? undefined : { text, source: styleSource(text) },
  };
}

function styleSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
