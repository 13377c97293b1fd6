import type { Configuration } from '../../config/configuration.ts';
import type { AlertSettings } from './send-to-all.ts';

export function alertSettings({
  notifications,
  ui,
  publicUrl,
  basePath,
}: Pick<Configuration, 'notifications' | 'ui' | 'publicUrl' | 'basePath'>): AlertSettings {
  return {
    notifications,
    house: ui.name ?? 'Postern',
    pageAt: (page) => (publicUrl === undefined ? undefined : `${publicUrl}${basePath}/postern${page}`),
  };
}
