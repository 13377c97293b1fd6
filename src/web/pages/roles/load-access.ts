import { accessApi, bodyOf, recorderRolesApi, rolesApi } from '../../api-client.ts';
import { inOrder } from '../../ui/cameras/camera-names.ts';
import { readGroups } from '../../ui/roles/roles-api.ts';
import { rowOfRole } from './access-rows.ts';

/** @throws ApiFailure */
export async function loadAccess() {
  const [found, roles, viewer, groups, recorder] = await Promise.all([
    bodyOf(accessApi.index.$get({ query: {} })),
    bodyOf(rolesApi.index.$get()),
    bodyOf(rolesApi[':name'].$get({ param: { name: 'viewer' } })),
    readGroups(),
    bodyOf(recorderRolesApi.index.$get()),
  ]);
  const cameras = inOrder(found.cameras);
  return {
    access: { ...found, cameras },
    entries: found.rows.map(rowOfRole),
    roles,
    viewer,
    ...groups,
    recorder,
  };
}

/** What the page has loaded. */
export type LoadedAccess = Awaited<ReturnType<typeof loadAccess>>;
