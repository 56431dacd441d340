export const splitHeadings = (text: string): readonly string[] => text.trim().split(/,\s+/);

export const CONTACT_HEADINGS = splitHeadings(
  'contacto, persona de contacto, nombre de contacto, nombre del contacto, atencion, responsable',
);

export const PHONE_HEADINGS = splitHeadings(
  'telefono, tel, telefono de contacto, telefono contacto, celular, movil, telefonos',
);

export const EMAIL_HEADINGS = splitHeadings(
  'correo, correo electronico, e-mail, email, mail, correo de contacto, correo contacto',
);

export const DESCRIPTION_HEADINGS = splitHeadings('descripcion, detalle, observaciones, notas, comentarios');

export const CLABE_HEADINGS =
  splitHeadings(`clabe, clabe interbancaria, cuenta clabe, clabe bancaria, clabe de la cuenta,
  cuenta clabe interbancaria, no clabe, numero de clabe`);
