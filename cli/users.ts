import { type Command, InvalidArgumentError } from 'commander';
import type { User, UserChange } from '../shared/users.ts';
import type { Runtime } from './runtime.ts';
import { formatTable } from './table.ts';
import { withDatabase } from './with-database.ts';

interface ChangeOptions {
  as?: string;
  json?: boolean;
}

interface CreateOptions extends ChangeOptions {
  email?: string;
  firstname: string;
  lastname: string;
  roles: number[];
  username?: string;
  employeenumber?: string;
}

export function addUserCommands(program: Command, runtime: Runtime): void {
  const users = program
    .command('users')
    .description('los usuarios de la aplicación')
    .addHelpText(
      'after',
      '\nEjemplos:\n  $ saldo users list\n  $ saldo users create --email ana@obras.mx --firstname Ana --lastname Ruiz --roles 2',
    );

  users
    .command('list')
    .description('todos los usuarios')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo users list')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(runtime, {}, async ({ db }) => {
        const { searchUsers } = await import('../server/services/users/reading.ts');
        const found = await searchUsers(db, {});
        if (json) return runtime.print(`${JSON.stringify(found, null, 2)}\n`);
        const rows = found.map((user) => [
          String(user.id),
          user.username,
          user.email,
          `${user.userfirstname} ${user.userlastname}`,
          user.roles.map((role) => role.rolename).join(', '),
          user.active ? 'sí' : 'no',
        ]);
        runtime.print(formatTable(['ID', 'Usuario', 'Correo', 'Nombre', 'Roles', 'Activo'], rows));
      }),
    );

  users
    .command('create')
    .description('crea un usuario y muestra una sola vez su contraseña')
    .requiredOption('--firstname <nombre>', 'nombre')
    .requiredOption('--lastname <apellido>', 'apellido')
    .requiredOption('--roles <lista>', 'números de rol separados por comas, p. ej. 1,3', parseRoles)
    .option('--email <correo>', 'correo')
    .option('--username <usuario>', 'usuario; si falta, se forma del nombre')
    .option('--employeenumber <número>', 'número de empleado')
    .option('--as <quién>', 'en nombre de qué usuario')
    .option('--json', 'como un documento JSON')
    .addHelpText(
      'after',
      '\nEjemplo:\n  $ saldo users create --email ana@obra.mx --firstname Ana --lastname Ruiz --roles 2,4',
    )
    .action((options: CreateOptions) =>
      withDatabase(runtime, { as: options.as, area: 'admin' }, async ({ db, actor }) => {
        const { createUser } = await import('../server/services/users/users.ts');
        const { drawPassword } = await import('../server/formats/passwords/common-passwords.ts');
        const password = drawPassword();
        const user = await createUser(db, actor, {
          userfirstname: options.firstname,
          userlastname: options.lastname,
          username: options.username,
          email: options.email,
          employeenumber: options.employeenumber,
          roles: options.roles,
          password,
        });
        printPassword(runtime, options.json, user, password, 'Se creó el usuario');
      }),
    );

  users
    .command('reset-password <quién>')
    .description('pone una contraseña nueva, la muestra una sola vez y cierra las sesiones del usuario')
    .option('--as <quién>', 'en nombre de qué usuario')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo users reset-password ana.ruiz')
    .action((who: string, options: ChangeOptions) =>
      withDatabase(runtime, { as: options.as, area: 'admin' }, async ({ db, actor }) => {
        const { findUser } = await import('../server/services/users/reading.ts');
        const { resetPassword } = await import('../server/services/users/passwords.ts');
        const { drawPassword } = await import('../server/formats/passwords/common-passwords.ts');
        const password = drawPassword();
        const user = await resetPassword(db, actor, (await findUser(db, who)).id, password);
        printPassword(runtime, options.json, user, password, 'Contraseña nueva de');
      }),
    );

  users
    .command('reset-second-factor <quién>')
    .description('quita el doble factor de quien perdió teléfono y códigos, y cierra sus sesiones')
    .option('--as <quién>', 'en nombre de qué usuario')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo users reset-second-factor ana.ruiz')
    .action((who: string, options: ChangeOptions) =>
      withDatabase(runtime, { as: options.as, area: 'admin' }, async ({ db, actor }) => {
        const { findUser } = await import('../server/services/users/reading.ts');
        const { resetSecondFactor } = await import('../server/services/users/second-factor.ts');
        const user = await resetSecondFactor(db, actor, (await findUser(db, who)).id);
        runtime.print(
          options.json
            ? `${JSON.stringify(user, null, 2)}\n`
            : `${user.username} entra solo con su contraseña, y puede activar el doble factor otra vez.\n`,
        );
      }),
    );

  users
    .command('set-roles')
    .description('cambia los roles de un usuario y cierra sus sesiones')
    .argument('<quién>', 'correo, usuario o id')
    .argument('<roles...>', 'números de rol, p. ej. 1 3', collectRoles)
    .option('--as <quién>', 'en nombre de qué usuario')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo users set-roles ana.ruiz 1 3')
    .action((who: string, roles: number[], options: ChangeOptions) =>
      changeUser(
        runtime,
        who,
        { roles },
        options,
        ({ username, roles: now }) => `Roles de ${username}: ${now.map((role) => role.rolename).join(', ')}`,
      ),
    );

  users
    .command('deactivate <quién>')
    .description('desactiva un usuario y cierra sus sesiones')
    .option('--as <quién>', 'en nombre de qué usuario')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo users deactivate ana.ruiz')
    .action((who: string, options: ChangeOptions) =>
      changeUser(runtime, who, { active: false }, options, ({ username }) => `Se desactivó ${username}.`),
    );

  users
    .command('activate <quién>')
    .description('vuelve a activar un usuario')
    .option('--as <quién>', 'en nombre de qué usuario')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo users activate ana.ruiz')
    .action((who: string, options: ChangeOptions) =>
      changeUser(runtime, who, { active: true }, options, ({ username }) => `Se activó ${username}.`),
    );
}

function changeUser(
  runtime: Runtime,
  who: string,
  change: UserChange,
  options: ChangeOptions,
  describe: (user: User) => string,
): Promise<void> {
  return withDatabase(runtime, { as: options.as, area: 'admin' }, async ({ db, actor }) => {
    const { findUser } = await import('../server/services/users/reading.ts');
    const { updateUser } = await import('../server/services/users/users.ts');
    const user = await updateUser(db, actor, (await findUser(db, who)).id, change);
    runtime.print(options.json ? `${JSON.stringify(user, null, 2)}\n` : `${describe(user)}\n`);
  });
}

const parseRoles = (text: string): number[] => text.split(',').map(parseRole);

/** One by one or as a list: `1 3`, `1,3`. */
const collectRoles = (text: string, before: number[] = []): number[] => [...before, ...parseRoles(text)];

function parseRole(text: string): number {
  if (!/^[1-6]$/.test(text.trim())) throw new InvalidArgumentError('Los roles son números del 1 al 6.');
  return Number(text);
}

function printPassword(
  runtime: Runtime,
  json: boolean | undefined,
  { id, username, email }: { id: number; username: string; email: string },
  password: string,
  what: string,
): void {
  if (json) {
    runtime.print(`${JSON.stringify({ id, username, email, password })}\n`);
    return;
  }
  runtime.print(`${what} ${username}: ${password}\n`);
  runtime.log('Se muestra una sola vez, sirve 72 horas y hay que cambiarla al entrar.');
}
