/** The specification's English texts in Spanish, for the setting `idioma` = `es`. `{name}` is a placeholder. */
const FROM_ENGLISH: Readonly<Record<string, string>> = {
  'Fields can not be empty.': 'Llena los campos obligatorios.',
  'There are empty required fields.': 'Faltan campos obligatorios.',
  'Email is invalid.': 'El correo no es válido.',
  'Supplier has been created. Redirecting to supplier list...': 'Se creó el proveedor.',
  'Supplier has been updated. Redirecting to supplier list...': 'Se actualizó el proveedor.',
  'Client has been created. Redirecting to client list...': 'Se creó el cliente.',
  'Client has been updated. Redirecting to client list...': 'Se actualizó el cliente.',
  'Job has been created. Redirecting to job list...': 'Se creó la obra.',
  'Job has been updated. Redirecting to job list...': 'Se actualizó la obra.',
  'Firstname, lastname and user type can not be empty.':
    'Faltan el nombre, el apellido o el tipo de usuario.',
  'Username, password and roles can not be empty.': 'Faltan el usuario o sus roles.',
  'User has been updated. Redirecting to user list...': 'Se actualizó el usuario.',
  'Password has been reset. Please, share this information with {name}':
    'Se restableció la contraseña. Compártela con {name}',
  'Passwords do not match!': 'Las contraseñas no son iguales.',
  'New password cannot be null!': 'Escribe la contraseña nueva.',
  'Your password has been updated!': 'Se cambió tu contraseña.',
  '{name} does not have privileges to see this page.': 'No tienes permiso para ver esta página.',
  '{name} does not have privileges to do this.': '{name} no tiene permiso para hacer esto.',
  'Unexpected Application Error!': 'Ocurrió un error inesperado',
  'Save User': 'Guardar',
  'Click to edit the user.': 'Clic para editar el usuario.',
  Dashboard: 'Tablero',
  DASHBOARD: 'TABLERO',
};

const SPELLING_CORRECTIONS: Readonly<Record<string, string>> = {
  'Error!': 'Error',
  'Se requiere la contrasen': 'Se requiere la contraseña',
  'Se requiere el nombre del rubo.': 'Se requiere el nombre del rubro.',
  'Se creó el origen correctamente. Redirigiendo a la lista de origed de recurso...':
    'Se creó el origen de recurso.',
  'El origen de recurso ha sido actualizado. Redirigiendo a la lista de origen de recurso...':
    'Se actualizó el origen de recurso.',
  'Se creó el rubro correctamente. Redirigiendo a la lista de rubros...': 'Se creó el rubro.',
  'El rubro ha sido actualizado. Redirigiendo a la lista de rubros...': 'Se actualizó el rubro.',
};

/** Entries of the menu whose page has another name in the specification. */
const PAGE_NAMES: Readonly<Record<string, string>> = {
  'PAGOS A PROV.': 'PAGOS REALIZADOS',
  PROGRAMACIÓN: 'PROGRAMACIÓN DE PAGOS',
  'Saldo por proveedor': 'Saldos por proveedor',
  'Administrar usuarios': 'Usuarios',
};

const SHORTENED_TEXTS: Readonly<Record<string, string>> = {
  'Guardar obra': 'Guardar',
  'Guardar la cuenta': 'Guardar',
};

const translations = new Map(
  Object.entries({ ...FROM_ENGLISH, ...SPELLING_CORRECTIONS, ...PAGE_NAMES, ...SHORTENED_TEXTS }),
);

const placeholderPatterns = [...translations].flatMap(([text, spanish]) => {
  const [before, after] = text.split('{name}');
  return before !== undefined && after !== undefined ? [{ before, after, spanish }] : [];
});

export function toSpanish(text: string): string {
  const translation = translations.get(text);
  if (translation !== undefined) return translation;
  for (const { before, after, spanish } of placeholderPatterns) {
    if (!text.startsWith(before) || !text.endsWith(after)) continue;
    return spanish.replace('{name}', () => text.slice(before.length, text.length - after.length));
  }
  return text;
}

export const isEnglish = (text: string): boolean =>
  Object.hasOwn(FROM_ENGLISH, text) ||
  placeholderPatterns.some(({ before, after }) => text.startsWith(before) && text.endsWith(after));
