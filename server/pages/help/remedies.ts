import type { ProblemCode } from '../../shapes/problems.ts';

export const REMEDIES: Readonly<Record<ProblemCode, string>> = {
  malformed:
    'Corrige el dato que el mensaje nombra: un número, una fecha AAAA-MM-DD, un campo que no existe.',
  bad_cursor: 'Empieza otra vez la lista desde su primera página.',
  bad_period: 'Cambia las fechas: la primera va antes que la última.',
  bad_week: 'Elige una semana del 1 al 52, o al 53 en los años que la tienen.',
  confirmation_required: 'Para eliminar la lista completa, repite la llamada con confirm=all.',
  unauthenticated: 'Ingresa otra vez. Lo escrito en un formulario se conserva en la pestaña.',
  sign_in_refused:
    'Revisa el usuario y la contraseña; si se olvidó, pide a un administrador que la restablezca.',
  password_expired: 'Pide a un administrador una contraseña nueva: la temporal sirve 72 horas.',
  forbidden: 'Pide a un administrador el rol que hace falta.',
  foreign_origin:
    'Abre Saldo por su propia dirección. Si hay un proxy, revisa SALDO_URL y SALDO_TRUST_PROXY.',
  reauthentication_required: 'Escribe tu propia contraseña: pasaron diez minutos desde que la diste.',
  second_factor_required: 'Escribe el código de tu aplicación, o uno de los de respaldo.',
  second_factor_refused: 'Espera el código que sigue y revisa la hora del teléfono, o usa uno de respaldo.',
  second_factor_enrolment_required: 'Actívalo en Mi perfil, Doble factor.',
  password_change_required: 'Pon una contraseña tuya en Mi perfil.',
  not_found: 'Revisa el número o el nombre; quizá alguien lo eliminó. La bitácora lo dice.',
  method_not_allowed: 'Usa uno de los métodos que la respuesta trae en Allow.',
  unsupported_media_type: 'Manda el cuerpo como JSON, con Content-Type: application/json.',
  duplicate_invoice: 'Abre la factura que ya existe. Si de verdad son dos, marca la casilla para guardarla.',
  duplicate_credit:
    'Abre la nota que ya existe, en su proveedor. Si es otra, captúrala con el número que trae.',
  cfdi_locked: 'Usa Desligar del CFDI en la factura, y después cambia sus importes.',
  closed_period:
    'Usa una fecha de un periodo abierto, o pide a un administrador que lo guarde con un motivo.',
  in_use: 'Cambia o elimina antes lo que el mensaje dice que lo usa.',
  list_changed: 'Intenta de nuevo: no se eliminó nada.',
  reference_changed: 'Intenta de nuevo: no se guardó nada.',
  rfc_taken: 'Usa el proveedor que ya tiene ese RFC, o corrige el que está mal.',
  account_exists: 'Usa la cuenta que ya está, o corrige la CLABE.',
  same_person: 'Pide a otra persona que la compare con el estado de cuenta del proveedor y la confirme.',
  username_taken: 'Elige otro nombre de usuario.',
  email_taken: 'Usa otro correo, o busca a quien ya lo tiene: quizá está desactivado.',
  holds_fund: 'Entrega antes su caja a otra persona, o ciérrala.',
  last_administrator: 'Haz antes administrador a otra persona.',
  double_settled: 'Si de verdad se pagó dos veces, elimina o corrige uno de los dos pagos.',
  credit_fixed: 'Elimina la nota de crédito y regístrala de nuevo.',
  batch_state: 'Abre otra vez la programación para ver en qué estado está.',
  in_open_batch:
    'Espera a que el banco pague la programación, o vuélvela a borrador. Si el pago ya se hizo, marca la casilla y escribe el motivo.',
  bank_matched: 'En el estado de cuenta del banco, marca el movimiento como devuelto, o suéltalo.',
  movement_not_paid: 'Revisa el resultado del movimiento en su estado de cuenta.',
  movement_settled: 'Abre el movimiento: si está mal resuelto, suéltalo y resuélvelo de nuevo.',
  movement_open: 'No hay nada que hacer: sigue abierto.',
  movement_of_batch: 'Márcalo como devuelto, con el motivo.',
  duplicate_rule: 'Quita la otra regla, o escribe más palabras en esta.',
  sum_differs: 'Elige lo que sume exactamente lo que el banco movió, o pon a cada factura su importe.',
  batch_fixed: 'Elimina el pago, o deshaz el pago de la programación completa.',
  same_sender: 'Pide a otra persona que la vuelva a borrador, o cambia Autorización en Configuración.',
  same_author:
    'Pide a otra persona que la autorice o la confirme. Si tu cuenta es la que debe esperar, los días están en Configuración, Pagos.',
  uuid_taken: 'Abre la factura o el gasto que ya tiene ese CFDI: un CFDI se registra una vez.',
  rfc_missing: 'Se captura en Configuración, en los datos de la empresa.',
  fund_taken: 'Elige otro nombre u otro origen, o usa la caja que ya existe.',
  fund_closed: 'Usa una caja abierta, o abre otra.',
  fund_moved: 'Cuenta otra vez lo que hay en la caja.',
  fund_not_settled:
    'Devuelve lo que queda o ciérrala contando, trae los comprobantes, repón los gastos, y autoriza o retira lo que se pidió.',
  movement_fixed: 'Elimina antes la reposición o el ajuste del que es parte.',
  already_replenished: 'Revisa la caja: su reposición ya está ahí.',
  no_difference: 'No hay nada que ajustar.',
  unsigned: 'Vuélvela a borrador, y que la autorice alguien que siga teniendo acceso.',
  already_signed: 'Pide la segunda autorización a otra persona.',
  all_held: 'Corrige lo que retiene alguna partida, o autorízala de todos modos con un motivo.',
  not_held: 'No hace falta autorizarla de otro modo: ya se puede pagar.',
  firm_check: 'Corrige en la factura o en el proveedor lo que el semáforo señala.',
  layout_waits: 'Pide a Dirección o Contabilidad que la confirme en su página; de fábrica sirve sin eso.',
  same_layout_author:
    'Pide a otra persona de Dirección o Contabilidad que la compare con lo que el banco pide.',
  bank_file_differs: 'Corrige en la plantilla el campo que el mensaje dice, o vuelve a la de fábrica.',
  bad_layout: 'Corrige en el archivo lo que el mensaje dice, o descarga otra vez la de fábrica.',
  nothing_to_send:
    'Confirma las cuentas de los proveedores, revisa la CLABE del origen, o elige otra plantilla.',
  already_downloaded: 'Pregunta a quien lo descargó si ya está en el banco; si no, descárgalo otra vez.',
  file_outdated: 'Genera otro archivo, y no subas el anterior.',
  mail_off:
    'Pide a quien administra el servidor que configure SMTP_URL y MAIL_FROM; mientras, se envía desde tu programa de correo.',
  mail_sent: 'No hace falta nada: ya salió.',
  not_deleted: 'Ya está en su lista: ábrelo ahí.',
  idempotency_key_reused: 'Abre otra vez el formulario. Un programa manda otra clave para otros datos.',
  stale: 'Compara los dos valores que se muestran y guarda el que vale.',
  too_many_rows: 'Acota el filtro, o elige CSV.',
  too_many_to_sort: 'Acota el filtro, u ordena por otra columna.',
  report_too_large: 'Acota el filtro: un año, una obra o un proveedor.',
  too_large: 'Manda menos de una vez.',
  invalid: 'Corrige el campo marcado; el mensaje dice qué regla rompe.',
  bad_value: 'Revisa el año de la fecha, o el dato del XML que el mensaje nombra.',
  bad_metadata:
    'Se carga el TXT o el zip que el SAT da al pedir metadatos de los CFDI recibidos, no el de los XML.',
  bad_list: 'Se carga el CSV completo que publica el SAT, tal como se descarga: Listado completo 69-B.',
  old_list: 'Descarga del SAT la lista de ahora; la que está cargada se queda.',
  bad_statement:
    'Descárgalo del banco con fecha, cargos y abonos aparte o con su signo, referencia y descripción; los encabezados y palabras de tu banco van en Configuración, Archivos de bancos.',
  no_address: 'Captura el correo del proveedor, escribe otra dirección, o deja fuera a quien no tiene.',
  amounts_disagree: 'Manda solo subtotal y tasa, o corrige el importe que no coincide.',
  budget_exceeded: 'Amplía el presupuesto, elige otro rubro, o pide a Dirección que la guarde con un motivo.',
  overpayment: 'Baja el importe a lo pendiente; si la factura costó más, corrige antes su total.',
  over_committed: 'Baja el importe, o quita la factura de la otra programación.',
  fund_short: 'Repón la caja, o registra el dinero que entró, y captura el gasto después.',
  over_cap: 'Págalo como factura desde el banco, o pide que suban el tope de la caja.',
  over_credit: 'Aplica solo lo que queda de la nota de crédito.',
  own_password: 'Cambia la tuya en Mi perfil, con la actual.',
  wrong_password: 'Escribe la contraseña con la que entras ahora.',
  too_many: 'Espera el tiempo que dice el mensaje. Un administrador puede restablecer la contraseña.',
  busy: 'Espera un momento e intenta de nuevo.',
  disk_full: 'Quien administra el servidor tiene que liberar espacio.',
  file_unusable:
    'Quien administra el servidor tiene que dar espacio o permiso: el mensaje o el registro dicen en qué archivo.',
  database_damaged:
    'Quien administra el servidor tiene que revisar la base de datos y restaurar un respaldo. Mientras tanto se puede consultar.',
  database_gone:
    'Quien administra el servidor tiene que devolver el archivo a su lugar, o restaurar un respaldo.',
  database_unavailable: 'Espera, y revisa en la lista si el cambio quedó antes de repetirlo.',
  internal_error:
    'Intenta de nuevo. Si se repite, da el id a quien administra el servidor: con él se encuentra en el registro.',
};

type CauseAndRemedy = readonly [cause: string, remedy: string];

export const NON_API_CAUSES_AND_REMEDIES = {
  ambiguous_name: ['Varios registros se llaman así.', 'Escribe el id en lugar del nombre.'],
  ambiguous_number: ['Varias facturas tienen ese número.', 'Escribe #id en lugar del número.'],
  ambiguous_sheet: ['El libro tiene varias hojas con datos.', 'Di cuál se importa.'],
  bad_anchor: [
    'El archivo no es de anclas de la bitácora, o uno de sus renglones cambió.',
    'Usa el archivo tal como lo escribió Saldo, un renglón por ancla.',
  ],
  bad_cfdi: ['El archivo no se puede leer como CFDI.', 'Pide otra vez el XML tal como lo timbró el SAT.'],
  bad_configuration: [
    'Una variable del servidor tiene un valor que no sirve.',
    'Corrige la variable que el mensaje nombra y arranca otra vez.',
  ],
  bad_date_format: ['El formato de fecha pedido no se entiende.', 'Escríbelo como dd/mm/aaaa.'],
  bad_encoding: ['Las letras del archivo no se pueden leer.', 'Guárdalo otra vez como UTF-8.'],
  bad_quotes: [
    'El archivo de texto tiene comillas mal puestas.',
    'Guárdalo otra vez desde la hoja de cálculo, o corrige las comillas de la línea que se nombra.',
  ],
  bad_logo: ['El archivo no sirve de logotipo.', 'Usa una imagen PNG o JPEG de hasta 200 KB.'],
  bad_qr: [
    'La foto no muestra el QR de un CFDI, o no se puede leer.',
    'Tómala de cerca, con luz y con el código entero; si no, captura el gasto a mano.',
  ],
  broken_rules: [
    'La copia tiene datos que rompen reglas del dinero.',
    'Usa otra copia; o restáurala a sabiendas y corrige lo que db check señale.',
  ],
  cfdi_attachment: [
    'Ese archivo es el CFDI al que está ligada la factura.',
    'Desliga antes la factura de su CFDI.',
  ],
  cfdi_known: [
    'Ese CFDI ya está registrado.',
    'Abre la factura que el mensaje enlaza: no hace falta cargarlo otra vez.',
  ],
  cfdi_mismatch: [
    'El total del CFDI no es la suma de sus partes.',
    'Revísalo con el proveedor; si así vale, acéptalo con la casilla.',
  ],
  cfdi_refused: [
    'El CFDI se lee, pero algo impide registrarlo.',
    'Sigue lo que dice el motivo: suele faltar la factura, o estar ya pagada.',
  ],
  conflict: ['Lo que hay guardado no lo permite.', 'Sigue lo que dice el mensaje.'],
  contradictory_amount: [
    'Se dijo dos cosas distintas del mismo importe.',
    'Quita una de las dos: la columna o la respuesta.',
  ],
  damaged_backup: [
    'La copia está dañada o incompleta.',
    'Usa otra copia; si se descargó, descárgala otra vez.',
  ],
  damaged_workbook: ['El libro de Excel está dañado.', 'Ábrelo en Excel y guárdalo otra vez.'],
  database_in_use: [
    'Otro proceso tiene abierta la base de datos, o ya tiene datos.',
    'Detén el servidor, o usa una base de datos vacía.',
  ],
  database_missing: [
    'No hay base de datos donde se busca.',
    'Revisa DATABASE_URL; si se perdió, restaura un respaldo.',
  ],
  database_unreachable: [
    'El servidor de la base de datos no contesta.',
    'Revisa DATABASE_URL y que PostgreSQL esté encendido.',
  ],
  doctype: [
    'El XML declara entidades propias, que un CFDI no lleva.',
    'Pide otra vez el XML tal como lo timbró el SAT.',
  ],
  empty_file: ['El archivo no trae nada.', 'Elige otro, o expórtalo otra vez de donde viene.'],
  encrypted_workbook: ['El libro de Excel tiene contraseña.', 'Guárdalo sin ella.'],
  file_not_found: [
    'El archivo no está ahí, o no se puede leer.',
    'Revisa su nombre, su carpeta y sus permisos.',
  ],
  foreign_tables: [
    'La base de datos tiene tablas de otra cosa.',
    'Restaura en una base de datos propia de Saldo.',
  ],
  future_closing: [
    'La fecha de cierre es un día que todavía no llega.',
    'Revisa el año; si de verdad es ese día, marca la casilla que lo pide.',
  ],
  reference_missing: [
    'Lo que se iba a guardar nombra un registro que no existe.',
    'Elige la obra, el rubro, el origen o el proveedor otra vez, y repítelo.',
  ],
  repeated_value: [
    'Un dato que solo puede estar una vez viene dos veces, o ya está en otro registro.',
    'Busca el dato que el mensaje nombra, corrige el que está mal y repítelo.',
  ],
  import_race: ['Alguien guardó lo mismo al mismo tiempo.', 'Intenta de nuevo: no se importó nada.'],
  newer_backup: ['La copia es de una versión más nueva de Saldo.', 'Actualiza Saldo y restaura después.'],
  no_header: [
    'La tabla no tiene títulos que se entiendan.',
    'Pon en la primera fila el nombre de cada columna, o di qué columna es cuál.',
  ],
  not_a_table: ['El archivo no es una tabla.', 'Usa CSV o XLSX; la Plantilla sirve de ejemplo.'],
  not_allowed_file: [
    'Ese tipo de archivo no se adjunta, o está vacío.',
    'Adjunta XML de CFDI, PDF o imagen.',
  ],
  not_linked: [
    'La factura no viene de un CFDI.',
    'No hace falta desligarla: sus importes ya se pueden cambiar.',
  ],
  other_database: ['En esa carpeta ya hay otra base de datos.', 'Dale a cada base de datos una carpeta.'],
  reading_too_large: ['El archivo necesita más memoria que la que hay para leerlo.', 'Divídelo en varios.'],
  reading_too_slow: [
    'Leer el archivo tardó más del límite.',
    'Divídelo en varios, o quita formatos y hojas que sobren.',
  ],
  reason_required: ['Reabrir un periodo pide un motivo.', 'Escribe el motivo: queda en la bitácora.'],
  row_refused: [
    'Un renglón de la tabla no se puede guardar como está.',
    'Corrige la celda que se nombra, o importa los demás y después los rechazados.',
  ],
  table_too_large: ['La tabla tiene más filas, columnas o texto de los que se leen.', 'Divídela en varias.'],
  too_many_attachments: [
    'La factura ya tiene todos los archivos que caben.',
    'Quita uno que ya no haga falta.',
  ],
  too_many_files: ['Son más archivos de los que se cargan de una vez.', 'Cárgalos por partes.'],
  unknown_column: ['La tabla no tiene esa columna.', 'Escribe su título como está en el archivo.'],
  unknown_field: ['Saldo no tiene ese campo.', 'Usa uno de los que el mensaje nombra.'],
  unknown_sheet: ['El libro no tiene esa hoja.', 'Escribe su nombre como está en el libro.'],
  unreadable_file: [
    'El archivo está dañado, o no es lo que su nombre dice.',
    'Ábrelo en su programa y guárdalo otra vez.',
  ],
  uploads_full: [
    'Tus archivos por importar ya ocupan todo su lugar.',
    'Importa los que ya revisaste, o espera: se borran solos.',
  ],
} as const satisfies Readonly<Record<string, CauseAndRemedy>>;
