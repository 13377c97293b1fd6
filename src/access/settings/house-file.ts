import {
  createConfigurationFile,
  mapAt,
  sectionAt,
  type CheckConfiguration,
} from '../../config/configuration-file.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Change, Permit } from '../../store/permit.ts';

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
        file.change((document) => {
          for (const [key, value] of Object.entries(face)) {
            if (value === null) mapAt(document, ['ui'])?.delete(key);
            else sectionAt(document, ['ui']).set(key, value);
          }
          if (mapAt(document, ['ui'])?.items.length === 0) document.delete('ui');
        }),
      ),
  };
}
