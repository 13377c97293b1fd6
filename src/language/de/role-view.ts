import type { roleView as english } from '../en/role-view.ts';

export const roleView: typeof english = {
  role: 'Rolle',
  unknown: 'Diese Rolle gibt es nicht',
  toRoles: 'Alle Rollen',
  cameras: 'Kameras',
  editRole: 'Rolle ändern',
  ask: 'Zugriff testen',
  viewAs: (role) => `Ansehen als ${role}`,
};
