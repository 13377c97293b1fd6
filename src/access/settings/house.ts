import { createHash } from 'node:crypto';
import type { Configuration } from '../../config/configuration.ts';
import { accentStyle } from '../../policy/accent.ts';
import {
  createConfigurationFile,
  mapAt,
  sectionAt,
  type CheckConfiguration,
} from '../../config/configuration-file.ts';
import type { Change, Permit } from '../../store/permit.ts';

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

/** Null: what comes with Postern. */
export interface Face {
  readonly name: string | null;
  /** `#rrggbb` */
  readonly accent: string | null;
}

export interface HouseFile {
  readonly face: Face;
  /** Writes config.yml and applies it. @throws AppError `configuration_read_only`, ConfigurationError, and what the permit throws */
  set(face: Face, permit: Permit): Promise<void>;
}

/** @param check as for `createConfigurationFile` */
export function houseFileOf(
  { ui }: Pick<Configuration, 'ui'>,
  change: Change,
  directory: string,
  check: CheckConfiguration,
): HouseFile {
  const file = createConfigurationFile(directory, check);
  return {
    face: { name: ui.name ?? null, accent: ui.accent ?? null },
    set: (face, permit) =>
      change(permit, () =>
        file.change('appearance changed', (document) => {
          for (const [key, value] of Object.entries(face)) {
            if (value === null) mapAt(document, ['ui'])?.delete(key);
            else sectionAt(document, ['ui']).set(key, value);
          }
          if (mapAt(document, ['ui'])?.items.length === 0) document.delete('ui');
        }),
      ),
  };
}
