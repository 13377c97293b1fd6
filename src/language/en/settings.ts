export const settings = {
  title: 'Settings',
  users: 'Users',
  roles: 'Roles',
  sessions: 'Sessions',
  tokens: 'API tokens',
  shares: 'Shares',
  audit: 'Audit',
  configuration: 'Configuration',
  adminsOnly: 'Settings are for admins',
  yourRole: (role: string) => `Your role is ${role}. Ask an admin to change something here.`,
};
