import * as v from 'valibot';
import {
  settingsSections,
  type SettingsFile,
  type SettingsSection,
} from '../../access/settings/settings-file.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { strictBody } from '../../http/validation.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import { requireStepUp, stepUpNeeded } from '../require-step-up.ts';
import { validChange } from '../valid-change.ts';

export interface SettingsDependencies {
  readonly settings: Settings;
  readonly settingsFile: SettingsFile;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

const pathParameters = { section: 'A section or key of `config.yml`.' };
const pathForms = { section: v.picklist(settingsSections) };

const value = v.pipe(
  v.unknown(),
  v.description(
    'As `config.yml` has it; null: it is not there. A secret is `***`; so are path and query of a webhook or an ntfy topic, with a mark behind it that another start changes.',
  ),
);

export const readSettings = endpoint({
  method: 'get',
  path: '/postern/api/settings/:section',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Operation',
  summary: 'Get settings that pages can write',
  pathParameters,
  pathForms,
  answers: {
    200: {
      meaning: 'As written in `config.yml`.',
      body: v.strictObject({
        value,
        writable: v.pipe(
          v.boolean(),
          v.description('Whether `PUT` can write it: not with `store.url`, nor a read-only file.'),
        ),
      }),
    },
    404: { meaning: 'No page can write such a section.' },
  },
  handle:
    ({ settingsFile }: SettingsDependencies) =>
    (c) => {
      const section = sectionNamed(c.req.param('section'));
      return { value: settingsFile.read(section) ?? null, writable: settingsFile.isWritable() };
    },
});

export const writeSettings = endpoint({
  method: 'put',
  path: '/postern/api/settings/:section',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Operation',
  summary: 'Change settings',
  description:
    'Writes the section into `config.yml`, where comments stay, and applies it at once. null deletes it, so that the default applies. `***` keeps a secret of an alert target at the same address, and an address that is sent back as it was read stays. Placeholders such as `{SERVICE_MAIL_PASSWORD}` are only for the file.',
  pathParameters,
  pathForms,
  body: strictBody({ value }),
  bodyExample: { value: 'Europe/Berlin' },
  answers: {
    204: { meaning: 'It applies.' },
    403: stepUpNeeded,
    404: { meaning: 'No page can write such a section.' },
    409: {
      meaning:
        '`configuration_read_only`: `config.yml` cannot be written here; `lines` has what to paste into it. `secret_missing`: `***` stands for a secret of another address, or for an address that `config.yml` does not have.',
    },
    422: { meaning: 'The configuration would not be valid. Nothing was written.' },
  },
  handle:
    ({ settingsFile, settings, audit, clock }: SettingsDependencies) =>
    async (c) => {
      const section = sectionNamed(c.req.param('section'));
      requireStepUp(c, clock);
      const { value: wanted } = c.req.valid('json');
      await validChange(settingsFile.write(section, wanted ?? null, c.var.permit), () => 'value');
      await audit.record({ event: 'settings_changed', ...actorOf(c, settings), detail: { section } });
    },
});

/** @throws AppError `not_found` */
function sectionNamed(name: string): SettingsSection {
  const found = settingsSections.find((section) => section === name);
  if (found === undefined) throw new AppError('not_found');
  return found;
}
