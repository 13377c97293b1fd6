import { isPlainObject } from '../policy/json.ts';
import { isConfigurationPath, maskedConfiguration } from '../policy/masked-configuration.ts';
import type { Transformer } from '../reverse-proxy/whole-answer.ts';

/** Takes secrets out of the recorder's configuration, and what is of other cameras, for everybody but admin. */
export const configurationMask: Transformer = {
  isFor: ({ path = '', identity }) => identity?.role !== 'admin' && isConfigurationPath(path),
  transform: (body, { identity, grant }) => {
    const configuration: unknown = JSON.parse(body.toString());
    if (!isPlainObject(configuration)) throw new TypeError('what the recorder answers is no configuration');
    const reader = { role: identity?.role ?? '', grant };
    return Buffer.from(JSON.stringify(maskedConfiguration(configuration, reader)));
  },
};
