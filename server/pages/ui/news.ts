/** What people notice of each version, the newest first. */
export const NEWS: readonly { version: string; points: readonly string[] }[] = [
  {
    version: '1.0.0',
    points: [
      'Archivos para el banco desde una programación: BBVA, Banorte, Santander y CSV, por plantillas que se pueden cambiar.',
      'Cuentas bancarias de cada proveedor: la CLABE se comprueba, y otra persona la confirma antes de que se le pague ahí.',
      'Programar pago desde Facturas y Saldos: se marcan las filas y se ve cuánto suman, para una programación nueva o un borrador.',
      'Presupuesto por obra y rubro: se captura como en una hoja de cálculo, y al capturar una factura se ve si lo excede.',
      'Programación de pagos: se eligen las facturas de la semana, otra persona las autoriza y se pagan todas juntas; un semáforo detiene lo que no debe pagarse.',
      'Caja chica completa: gastos con la foto del ticket o su XML, lo que falta por comprobar, reposiciones que otra persona autoriza y arqueos a ciegas.',
      'Cierre de mes: se revisa lo que falta y se cierra; lo de un periodo cerrado solo lo cambia un administrador, con un motivo.',
      'La base de datos se puede revisar a fondo: cada registro contra lo que la bitácora dice de él.',
      'Resultados dice cuánto cuesta cada obra, por facturado o por pagado, con IVA o sin él, y sus rubros mes por mes.',
      'Tablero: lo vencido por su antigüedad, lo de esta semana y lo que sigue, y a quién se le debe más. Cada cifra lleva a lo que la forma.',
      'Estado de cuenta de cada proveedor y aviso de pago en PDF, con la carta para enviarlos por correo.',
      'Bitácora: quién capturó, cambió o eliminó qué, en palabras, y la historia de cada registro desde su página.',
      'Configuración por secciones, con los valores anteriores de cada ajuste, el logotipo de la empresa y respaldos que se hacen y descargan ahí.',
      'Las notificaciones dicen también de facturas parecidas, REP que faltan, respaldos viejos y meses sin cerrar, y se pueden posponer.',
      'Vistas en cada lista, con su cuenta y su suma, y las propias; filas densas para quien las quiera.',
      'Cargar XML toma muchos archivos y zips a la vez, y los revisa juntos antes de guardar.',
      'Lo eliminado se recupera con Deshacer: facturas, pagos, movimientos de caja y registros de las listas.',
      'La ayuda tiene una página para cada pantalla y cada tarea, se busca en ella, y explica cada mensaje de error.',
    ],
  },
];
