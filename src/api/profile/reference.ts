import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';

const cameras = v.pipe(v.array(v.string()), v.description('Cameras that there are and the role covers.'));
export const profile = v.strictObject({ username: v.string(), role: v.string(), allowed_cameras: cameras });

export const ownProfile: Reference = {
  summary: 'Who is asking',
  answers: { 200: { meaning: 'The user, as the gate sees it now.', body: profile } },
};

export const listCameras: Reference = {
  summary: 'Cameras that the user may see',
  answers: { 200: { meaning: 'Their names.', body: cameras } },
};
