import { bodyOf, cameraGroupsApi, type CameraGroup, type GroupChange } from '../../api-client.ts';

/** Groups of cameras, and those of the recorder, which give no access. @throws ApiFailure */
export async function readGroups() {
  const [groups, offered] = await Promise.all([
    bodyOf(cameraGroupsApi.index.$get()),
    bodyOf(cameraGroupsApi.offered.$get()),
  ]);
  const own = new Set(groups.map(({ name }) => name.toLowerCase()));
  return { groups, offered: offered.filter(({ name }) => !own.has(name.toLowerCase())) };
}

/** @returns the roles that would gain or lose cameras. @throws ApiFailure */
export async function previewGroup(name: string, cameras: string[]): Promise<readonly GroupChange[]> {
  const call = cameraGroupsApi[':name'].$put({ param: { name }, json: { cameras }, query: { preview: '1' } });
  return (await bodyOf(call)).changes;
}

/** @throws ApiFailure */
export async function defineGroup(name: string, cameras: string[]): Promise<void> {
  await bodyOf(cameraGroupsApi[':name'].$put({ param: { name }, json: { cameras }, query: {} }));
}

/** @returns a function that makes the group again. @throws ApiFailure */
export async function removeGroup({ name, cameras }: CameraGroup): Promise<() => Promise<void>> {
  await bodyOf(cameraGroupsApi[':name'].$delete({ param: { name } }));
  return () => defineGroup(name, cameras);
}
