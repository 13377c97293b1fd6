/** What a role can see, and why something was refused. */
export const roleView = {
  role: 'role',
  unknown: 'There is no such role',
  toRoles: 'All roles',
  cameras: 'Cameras',
  editRole: 'Edit role',
  ask: 'Test access',
  viewAs: (role: string) => `View as ${role}`,
};
