/** What the demo company buys, from whom, for which works. Everybody in it is invented. */
interface DemoRubro {
  nombrerubro: string;
  descripcionrubro: string;
  /** what one invoice comes to before tax, in pesos: from, to */
  range: readonly [number, number];
}

export const demoCompany = {
  empresa: 'Constructora Valle del Roble, S.A. de C.V.',
  /** without its check digit */
  rfc: 'CVR0903128T',
  direccion: 'Av. Lázaro Cárdenas 2400, piso 4, Valle Oriente, San Pedro Garza García, N.L., C.P. 66269',
};

export const demoRubros = {
  acero: rubro('Acero', 'Varilla, perfiles, malla y estructura', 18_000, 640_000),
  concreto: rubro('Concreto', 'Concreto premezclado y bombeo', 22_000, 480_000),
  agregados: rubro('Cemento y agregados', 'Cemento, mortero, grava, arena y block', 4_000, 120_000),
  manodeobra: rubro('Mano de obra', 'Destajos y cuadrillas', 12_000, 260_000),
  maquinaria: rubro('Renta de maquinaria', 'Retroexcavadoras, grúas, andamios y cimbra', 6_500, 180_000),
  electrica: rubro('Instalación eléctrica', 'Material y mano de obra eléctrica', 5_000, 210_000),
  hidraulica: rubro('Instalación hidrosanitaria', 'Tubería, conexiones y muebles de baño', 4_500, 160_000),
  acabados: rubro('Acabados', 'Pisos, pintura, yeso y carpintería', 5_000, 190_000),
  canceleria: rubro('Cancelería y vidrio', 'Aluminio, cristal templado y domos', 15_000, 320_000),
  impermeable: rubro('Impermeabilización', 'Azoteas, cisternas y juntas', 8_000, 95_000),
  fletes: rubro('Fletes y acarreos', 'Transporte de material y retiro de escombro', 2_500, 48_000),
  herreria: rubro('Herrería', 'Barandales, portones y escaleras', 6_000, 110_000),
  proyectos: rubro('Proyectos y permisos', 'Ingenierías, licencias y laboratorio', 7_500, 140_000),
  seguridad: rubro('Seguridad e higiene', 'Equipo de protección, vigilancia y sanitarios', 1_800, 42_000),
  combustible: rubro('Combustibles', 'Diésel y lubricantes', 3_000, 56_000),
} as const satisfies Record<string, DemoRubro>;

export type DemoRubroKey = keyof typeof demoRubros;

/** By rubro, the busiest first; "·" sets off natural persons, who carry withholdings. */
export const demoSuppliers: Readonly<Record<DemoRubroKey, string>> = {
  acero:
    'Aceros Tepeyac|Varillas y Perfiles del Norte|Estructuras Metálicas Anáhuac|Ferretera Industrial La Silla|Mallas y Alambres Santa Lucía|Perfiles Comerciales Guadalupe',
  concreto:
    'Concretos Premezclados del Bravo|Concretera San Bernabé|Bombeos y Colados Apodaca|Premezclados La Huasteca|Concretos Estampados Mitras',
  agregados:
    'Materiales Cumbres|Block y Bovedilla El Carmen|Triturados Cerro Prieto|Materiales Para Construcción Garza|Cementos y Morteros Topo Chico|Arenas y Gravas Río Pesquería|Casa de Materiales Ñuño',
  manodeobra:
    'Cuadrillas y Destajos Escobedo|Edificaciones Hermanos Treviño|Albañilería y Acabados Rentería|Construcciones Olvera e Hijos|Servicios de Obra Civil Cadereyta|· Eleuterio Zamarripa Ibarra|· José Ángel Peña Muñoz|· Rubén Darío Castañeda Luna',
  maquinaria:
    'Maquinaria Pesada Sierra Madre|Grúas y Maniobras Cantú|Andamios y Cimbras Monterrey|Renta de Equipo Los Álamos|Plataformas Elevadoras Regias|Retros y Volteos Salinas',
  electrica:
    'Electricidad Industrial Volta|Material Eléctrico Constitución|Instalaciones Electromecánicas Delta|Iluminación y Control Lúmina|· Óscar Iván Garza Quiroga|Tableros y Subestaciones Noreste',
  hidraulica:
    'Tuberías y Conexiones Hidalgo|Plomería Industrial Santa Catarina|Hidráulica y Gas del Valle|Muebles de Baño Cerámika|Bombas y Cisternas Aguamar|· Martín Saldívar Cepeda',
  acabados:
    'Pisos y Azulejos San Jerónimo|Pinturas Arcoíris de Nuevo León|Yesos y Plafones Obispado|Carpintería Fina El Encino|Mármoles y Granitos Vallarta|Pastas y Texturas Contry|Duela y Madera Chipinque',
  canceleria:
    'Aluminio y Vidrio Panorámico|Cristales Templados Regiomontanos|Ventanas y Canceles Linda Vista|Domos y Tragaluces Solaris',
  impermeable: 'Impermeabilizantes Termoseal|Aislantes y Selladores Cóndor|Azoteas Secas del Noreste',
  fletes:
    'Fletes y Mudanzas Coahuila|Acarreos Hermanos Leal|Transportes Materialistas Juárez|· Gregorio Villarreal Sada',
  herreria:
    'Herrería Artística La Fragua|Portones Automáticos Premier|Soldadura y Pailería Martínez|· Baltazar Cavazos Elizondo',
  proyectos:
    'Ingeniería Estructural Vértice|Laboratorio de Suelos y Concretos Geotec|Gestoría y Licencias Ayala|· Arq. Mariana Lozano Villaseñor|Topografía y Levantamientos Cota Cero|Consultoría Ambiental Oyamel|Notaría y Trámites Del Valle',
  seguridad:
    'Equipos de Protección Casco Azul|Vigilancia y Custodia Halcón|Sanitarios Móviles Higienet|Señalización Vial Reflecta',
  combustible: 'Energéticos y Lubricantes del Sur|Diésel a Domicilio Nogalar|Estación de Servicio Las Torres',
};

/** Name, contact. */
export const demoClients: readonly (readonly [string, string])[] = [
  ['Inmobiliaria Cumbres del Valle', 'Lic. Rodrigo Santos'],
  ['Desarrollos Habitacionales Los Encinos', 'Ing. Paola Ibarra'],
  ['Municipio de Santa Catarina', 'Dirección de Obras Públicas'],
  ['Grupo Logístico Frontera', 'C.P. Alejandra Núñez'],
  ['Hospital San Rafael', 'Dr. Ernesto Quintanilla'],
  ['Colegio Alpino Regiomontano', 'Mtra. Sofía Elizondo'],
  ['Alimentos La Espiga', 'Ing. Hugo Salazar'],
  ['Hotelera Paseo Santa Lucía', 'Lic. Verónica Maldonado'],
  ['Instituto Estatal de Vivienda', 'Arq. Jaime Ochoa'],
  ['Familia Garza Treviño', 'Sr. Mauricio Garza'],
];

/** Title, description, index of the client, days from today to start and end, its share of the work. */
export const demoJobs: readonly (readonly [string, string, number, number, number, number])[] = [
  ['Torre Cumbres, etapa 1', 'Cimentación y estructura, 14 niveles', 0, -1120, -520, 10],
  ['Torre Cumbres, etapa 2', 'Albañilería, instalaciones y acabados', 0, -540, 120, 12],
  ['Residencial Los Encinos, manzana A', '32 casas de dos niveles', 1, -1080, -610, 8],
  ['Residencial Los Encinos, manzana B', '28 casas de dos niveles', 1, -640, -120, 8],
  ['Residencial Los Encinos, manzana C', '36 casas de dos niveles', 1, -150, 330, 9],
  ['Pavimentación Av. Industrial', 'Concreto hidráulico, 2.4 km, con drenaje pluvial', 2, -900, -690, 5],
  ['Puente peatonal Las Palmas', 'Estructura metálica y accesos', 2, -310, -60, 3],
  ['Nave industrial Apodaca', '12,000 m² con andenes y oficinas', 3, -820, -330, 9],
  ['Ampliación nave industrial Apodaca', '4,500 m², misma operación', 3, -210, 150, 6],
  ['Hospital San Rafael, urgencias', 'Remodelación por etapas, sin cerrar el servicio', 4, -470, 60, 7],
  ['Colegio Alpino, gimnasio', 'Techumbre, duela y gradas', 5, -730, -450, 3],
  ['Planta La Espiga, cámaras frías', 'Piso sanitario y cuartos aislados', 6, -400, -90, 4],
  ['Hotel Paseo Santa Lucía', 'Cambio de fachada y 48 habitaciones', 7, -260, 210, 8],
  ['Casa Garza Treviño', 'Residencia en Chipinque, 640 m²', 9, -180, 240, 3],
];

export const demoSources: readonly (readonly [string, string])[] = [
  ['Cuenta concentradora', 'Ingresos de clientes'],
  ['Cuenta de obra pública', 'Anticipos y estimaciones del municipio'],
  ['Cuenta de destajos', 'Mano de obra y subcontratos'],
  ['Crédito puente', 'Línea para Residencial Los Encinos'],
  ['Caja chica', 'Gastos menores de obra'],
];

/** First name, last name, roles. */
export const demoUsers: readonly (readonly [string, string, readonly number[]])[] = [
  ['Teresa', 'Villarreal', [1]],
  ['Ana', 'Ruiz', [2]],
  ['Gerardo', 'Leal', [2, 4]],
  ['Lucía', 'Montemayor', [4]],
  ['Fernando', 'Ibarra', [5]],
  ['Claudia', 'Peña', [6]],
];

export const demoContacts =
  'Laura Cantú|Ing. Sergio Villarreal|Patricia Muñoz|Raúl Treviño|Lic. Norma Garza|Iván Rentería|Gabriela Peña|Ing. Tomás Elizondo|Mónica Salazar|Héctor Quiroga|Arq. Diana Olvera|Rogelio Cavazos|Carmen Ayala|Adrián Lozano|Ing. Beatriz Sada|Emilio Castañeda';

function rubro(nombrerubro: string, descripcionrubro: string, from: number, to: number): DemoRubro {
  return { nombrerubro, descripcionrubro, range: [from, to] };
}
