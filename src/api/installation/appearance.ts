import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { HouseFile } from '../../access/settings/house.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { accent, houseName } from '../../config/ui-section.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';

const face = {
  house: v.pipe(v.nullable(houseName), v.description('`ui.name`; null: Postern.')),
  accent: v.pipe(v.nullable(accent), v.description('`ui.accent`; null: the green that comes with Postern.')),
};

export interface AppearanceDependencies {
  readonly settings: Settings;
  readonly houseFile: HouseFile;
  readonly audit: Pick<AuditLog, 'record'>;
}

export const readAppearance = endpoint({
  method: 'get',
  path: '/postern/api/appearance',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'Get the name and colour of the house',
  answers: {
    200: {
      meaning: 'What `config.yml` sets.',
      body: v.strictObject({
        ...face,
        picture: v.pipe(v.boolean(), v.description('Whether `ui.logo` names a picture.')),
      }),
    },
  },
  handle:
    ({ houseFile, settings }: AppearanceDependencies) =>
    () => ({
      house: houseFile.face.name,
      accent: houseFile.face.accent,
      picture: settings.house.hasPicture,
    }),
});

export const setAppearance = endpoint({
  method: 'put',
  path: '/postern/api/appearance',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Operation',
  summary: 'Give the house a name and a colour',
  description:
    'Writes `ui.name` and `ui.accent` into `config.yml`, where comments stay, and applies them at once. The picture is a file beside it: `ui.logo`.',
  body: v.object(face),
  bodyExample: { house: 'Willow Lane', accent: '#0b5cad' },
  answers: {
    204: { meaning: 'The pages have them from now on.' },
    409: { meaning: '`config.yml` cannot be written: set `ui` there yourself.' },
  },
  handle:
    ({ houseFile, settings, audit }: AppearanceDependencies) =>
    async (c) => {
      const { house: name, accent } = c.req.valid('json');
      await houseFile.set({ name, accent }, c.var.permit);
      const detail = { name: name ?? '', accent: accent ?? '' };
      await audit.record({ event: 'appearance_changed', ...actorOf(c, settings), detail });
    },
});
