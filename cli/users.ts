import { type Command, InvalidArgumentError } from 'commander';
import type { User } from '../shared/users.ts';
import {
  addExamples,
  type CommandOptions,
  createActingUserFlag,
  createRequiredOption,
  declareCommand,
  formatJson,
  formatTable,
  JSON_FLAG,
} from './command.ts';
import { type CommandContext, type Runtime, withDatabase } from './runtime.ts';

interface CreateUserOptions extends CommandOptions {
  email?: string;
  firstname: string;
  lastname: string;
  roles: number[];
  username?: string;
  employeenumber?: string;
}

export function addUserCommands(users: Command, runtime: Runtime): void {
  addExamples(
    users,
    'saldo users list',
    'saldo users create --email ana@obras.mx --firstname Ana --lastname Ruiz --roles 2',
  );
  const runAsAdministrator = ({ as }: CommandOptions, work: (opened: CommandContext) => Promise<void>) =>
    withDatabase(runtime, { as, area: 'admin' }, work);

  declareCommand(users, 'list', 'todos los usuarios', [JSON_FLAG], 'saldo users list').action(
    ({ json }: CommandOptions) =>
      withDatabase(runtime, {}, async ({ db }) => {
        const { listUsers } = await import('../server/services/users/reading.ts');
        const found = await listUsers(db, {});
        if (json) return runtime.print(formatJson(found));
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

  declareCommand(
    users,
    'create',
    'crea un usuario y muestra una sola vez su contraseña',
    [
      createRequiredOption('--firstname <nombre>', 'nombre'),
      createRequiredOption('--lastname <apellido>', 'apellido'),
      createRequiredOption('--roles <lista>', 'números de rol separados por comas, p. ej. 1,3').argParser(
        parseRoles,
      ),
      ['--email <correo>', 'correo'],
      ['--username <usuario>', 'usuario; si falta, se forma del nombre'],
      ['--employeenumber <número>', 'número de empleado'],
      createActingUserFlag('admin'),
      JSON_FLAG,
    ],
    'saldo users create --email ana@obra.mx --firstname Ana --lastname Ruiz --roles 2,4',
  ).action(({ firstname: userfirstname, lastname: userlastname, ...options }: CreateUserOptions) =>
    runAsAdministrator(options, async ({ db, actor }) => {
      const { createUser } = await import('../server/services/users/users.ts');
      const { generateStrongPassword } = await import('../server/formats/passwords/common-passwords.ts');
      const { username, email, employeenumber, roles, json } = options;
      const password = generateStrongPassword();
      const draft = { userfirstname, userlastname, username, email, employeenumber, roles, password };
      printPassword(runtime, json, await createUser(db, actor, draft), password, 'Se creó el usuario');
    }),
  );

  const declareUserChange = (
    name: string,
    description: string,
    example: string,
    change: (
      opened: CommandContext,
      userId: number,
      options: CommandOptions,
      roles: number[],
    ) => Promise<void>,
  ): Command =>
    declareCommand(
      users,
      name,
      description,
      [createActingUserFlag('admin'), JSON_FLAG],
      `saldo users ${example}`,
    ).action((who: string, ...actionArguments: [CommandOptions] | [number[], CommandOptions]) => {
      const [roles, options] = Array.isArray(actionArguments[0])
        ? [actionArguments[0], actionArguments[1] as CommandOptions]
        : [[], actionArguments[0]];
      return runAsAdministrator(options, async (opened) => {
        const { getUserByNameOrId } = await import('../server/services/users/reading.ts');
        await change(opened, (await getUserByNameOrId(opened.db, who)).id, options, roles);
      });
    });
  const printUser = (user: User, { json }: CommandOptions, message: string) =>
    runtime.print(json ? formatJson(user) : `${message}\n`);

  declareUserChange(
    'reset-password <quién>',
    'pone una contraseña nueva, la muestra una sola vez y cierra las sesiones del usuario',
    'reset-password ana.ruiz',
    async ({ db, actor }, id, { json }) => {
      const { setTemporaryPassword } = await import('../server/services/users/passwords.ts');
      const { generateStrongPassword } = await import('../server/formats/passwords/common-passwords.ts');
      const password = generateStrongPassword();
      const user = await setTemporaryPassword(db, actor, id, password);
      printPassword(runtime, json, user, password, 'Contraseña nueva de');
    },
  );
  declareUserChange(
    'reset-second-factor <quién>',
    'quita el doble factor de quien perdió teléfono y códigos, y cierra sus sesiones',
    'reset-second-factor ana.ruiz',
    async ({ db, actor }, id, options) => {
      const { resetSecondFactor } = await import('../server/services/users/second-factor.ts');
      const user = await resetSecondFactor(db, actor, id);
      const message = `${user.username} entra solo con su contraseña, y puede activar el doble factor otra vez.`;
      printUser(user, options, message);
    },
  );
  declareUserChange(
    'set-roles',
    'cambia los roles de un usuario y cierra sus sesiones',
    'set-roles ana.ruiz 1 3',
    async ({ db, actor }, id, options, roles) => {
      const { updateUser } = await import('../server/services/users/users.ts');
      const user = await updateUser(db, actor, id, { roles });
      const names = user.roles.map((role) => role.rolename).join(', ');
      printUser(user, options, `Roles de ${user.username}: ${names}`);
    },
  )
    .argument('<quién>', 'correo, usuario o id')
    .argument('<roles...>', 'números de rol, p. ej. 1 3', collectRoles);
  for (const [name, active, description, message] of [
    ['deactivate', false, 'desactiva un usuario y cierra sus sesiones', 'Se desactivó'],
    ['activate', true, 'vuelve a activar un usuario', 'Se activó'],
  ] as const)
    declareUserChange(
      `${name} <quién>`,
      description,
      `${name} ana.ruiz`,
      async ({ db, actor }, id, options) => {
        const { updateUser } = await import('../server/services/users/users.ts');
        const user = await updateUser(db, actor, id, { active });
        printUser(user, options, `${message} ${user.username}.`);
      },
    );
}

const parseRoles = (text: string): number[] => text.split(',').map(parseRole);

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
  intro: string,
): void {
  if (json) {
    runtime.print(`${JSON.stringify({ id, username, email, password })}\n`);
    return;
  }
  runtime.print(`${intro} ${username}: ${password}\n`);
  runtime.log('Se muestra una sola vez, sirve 72 horas y hay que cambiarla al entrar.');
}
