import type { Reason } from '../../policy/reasons.ts';

export const meanings: Readonly<Record<Reason, string>> = {
  allowed: 'die Rolle darf das',
  public: 'der Pfad braucht keine Identität',
  shared: 'der Pfad gehört zu einer Freigabe, die dieser Browser geöffnet hat',

  proxy_secret_missing: 'proxy.auth_secret ist gesetzt, und die Anfrage hat kein X-Proxy-Secret',
  proxy_secret_repeated: 'die Anfrage hat mehrere Header X-Proxy-Secret',
  proxy_secret_mismatch: 'X-Proxy-Secret ist nicht das konfigurierte Geheimnis',
  trusted_header_repeated: 'ein Header, dem vertraut wird, kam mehr als einmal',
  trusted_header_alias:
    'ein Header kam an, den manche Server als einen vertrauten lesen (Unterstrich oder Punkt statt Bindestrich)',
  trusted_header_hop_by_hop:
    'Connection nennt einen Header, dem vertraut wird, sodass eine Zwischenstation ihn wegließe',
  user_missing: 'der Header, den proxy.header_map.user nennt, fehlt oder ist leer',
  user_malformed:
    'der Header des Benutzers ist länger als 256 Zeichen, ist kein UTF-8 oder hat Zeichen, die steuern, die Schreibrichtung ändern oder unsichtbar sind',
  user_reserved:
    'der Header des Benutzers nennt einen Namen, den nur das Gate selbst vergibt: anonymous oder postern',
  groups_malformed: 'der Header der Rolle hat Steuerzeichen oder ist kein UTF-8',
  no_role:
    'weder eine Gruppe noch der Benutzer hat eine Rolle, und proxy.default_role nennt keine, die definiert ist; oder die Rolle ist `none`, das für keinen Zugang steht',
  no_session: 'die Anfrage hat kein Sitzungs-Token',
  token_ambiguous: 'die Anfrage hat mehrere verschiedene Sitzungs-Token',
  token_invalid:
    'das Sitzungs-Token gilt hier nicht: fehlerhaft, anderes Geheimnis, anderes Verfahren, oder eine Angabe fehlt',
  token_expired: 'das Sitzungs-Token ist abgelaufen',
  token_revoked:
    'die Sitzung wurde beendet: durch Abmeldung, einen Admin, ein neues Passwort, eine neue Rolle, eine Sperre, oder weil der Benutzer neu angelegt wurde',
  share_unopened:
    'die Anfrage hat kein Cookie der Freigabe: In diesem Browser wurde sie nicht geöffnet, oder vor zu langer Zeit',
  share_over: 'die Freigabe wurde beendet, ist abgelaufen, oder der Rekorder hat nicht mehr, was sie zeigt',
  share_scope: 'der Pfad, seine Query oder seine Zeit gehört nicht zu dem, was freigegeben ist',
  share_maker:
    'wer die Freigabe erstellt hat, hat keinen Zugang mehr: gesperrt, ohne das API-Token oder den zweiten Faktor, oder auf einem Weg, der jetzt geschlossen ist',
  user_unknown: 'den Benutzer des Sitzungs-Tokens gibt es nicht mehr',
  user_blocked:
    'der Benutzer ist gesperrt: von einem Admin, oder weil der Anbieter ihm keine Rolle mehr gibt',
  provider_removed: 'die Person kam von einem Anbieter, den auth.oidc nicht mehr nennt',
  oidc_attempt_unknown:
    'jemand kam vom Anbieter zurück ohne eine Anmeldung, die dieser Browser hier begonnen hat: zu spät, ein zweites Mal oder in einem anderen Browser',
  oidc_refused: 'der Anbieter hat die Person nicht angemeldet oder den Code abgelehnt, den er gab',
  oidc_unreachable: 'der Anbieter antwortet nicht',
  oidc_protocol_error: 'die Antwort des Anbieters verletzt das Protokoll oder ist für einen anderen Client',
  oidc_name_invalid: 'der Claim auth.oidc.user_claim fehlt oder ist kein Benutzername des Gates',
  oidc_name_taken: 'ein anderes Konto oder eine andere Person des Anbieters hat den Namen schon',
  oidc_email_refused:
    'auth.oidc.allowed_emails nennt die Adresse der Person nicht, oder der Anbieter hat sie nicht bestätigt',
  oidc_no_role:
    'keine Gruppe der Person passt zu einer Rolle, und auth.oidc.default_role nennt keine, die definiert ist',
  second_factor_missing:
    'die Rolle verlangt einen zweiten Faktor (auth.second_factor), und der Benutzer hat noch keinen',
  api_token_unknown:
    'dieses API-Token gibt es nicht: widerrufen, falsch geschrieben, oder sein Besitzer wurde entfernt',
  api_token_expired: 'das API-Token ist abgelaufen',
  api_token_too_wide:
    'die Rolle des API-Tokens ist nicht mehr definiert, oder sie darf mehr als sein Besitzer jetzt',
  display_unknown:
    'diesen Bildschirm gibt es nicht: beendet, sein Benutzer wurde entfernt, oder das JWT-Geheimnis hat sich geändert',
  display_expired: 'die Zeit, für die der Bildschirm gekoppelt war, ist um',
  display_only_shows:
    'ein Bildschirm zeigt nur Bilder: Er ändert nichts, hat kein Konto und öffnet keine Seite außer der Kamerawand',
  basic_over_http:
    'ein API-Token kam als Passwort von Basic ohne TLS, sodass andere es lesen konnten: über einfaches HTTP oder über einen Proxy, dem das Gate nichts anderes glaubt',
  identity_changed:
    'der Benutzer oder seine Rolle änderte sich, während eine Änderung von ihm wartete oder eine Antwort oder ein WebSocket offen war',
  grant_changed: 'die Kameras der Rolle änderten sich, während eine Antwort oder ein WebSocket offen war',
  stopped:
    'ein Admin hat diesen Stream gestoppt, oder für eine Weile alles, was der Benutzer, das API-Token oder die Freigabe ansehen darf',
  cross_site:
    'Anfrage von einer anderen Website (CSRF): Sie würde mit dem Cookie dieser Website oder mit Basic etwas ändern',

  method_refused: 'die Methode ist TRACE oder CONNECT und wird immer verweigert',
  host_unknown:
    'am internen Zugang nennt die Anfrage einen Host, den jeder hierher zeigen lassen könnte: weder eine Adresse noch ein Name dieses Netzes noch einer aus networking.internal_hosts',

  request_unparsable: 'die Front gab eine Anfrage weiter, die kein HTTP ist oder deren Header zu lang sind',

  front_unproven:
    'wer am Forward-Auth-Listener fragt, ist keine Front: weder eine vertraute Adresse noch das Geheimnis der Front',
  front_path_unknown: 'eine Front fragt unter einem Pfad, der zu keinem Adapter gehört',
  front_public_path:
    'eine Front fragt nach einem öffentlichen Pfad, den sie ungefragt an das Gate senden sollte, und nennt keine Identität',
  front_header_missing: 'die Front sendete einen Header nicht, den ihr Adapter braucht',
  front_header_repeated: 'ein Header, den nur die Front setzen darf, kam mehr als einmal',
  front_header_malformed: 'ein Header, den nur die Front setzen darf, hat einen Wert, den keine Front sendet',
  front_header_alias:
    'ein Header der Identität kam in anderer Schreibweise an, die die Front weitergeben würde',
  front_headers_mixed:
    'die Anfrage hat einen Header, den diese Front nie sendet: ein Client sendete ihn, oder die Front fragt unter dem falschen Pfad',

  uri_missing: 'die Front nannte keine X-Original-URL, und die Rolle ist auf Kameras beschränkt',
  uri_malformed: 'die URI lässt sich nicht lesen',
  uri_control_character: 'die URI hat ein Steuerzeichen, ein Leerzeichen oder NUL',
  uri_backslash: 'die URI hat einen umgekehrten Schrägstrich',
  uri_encoded_slash: 'der Pfad hat einen kodierten Schrägstrich',
  uri_double_encoded: 'der Pfad ist zweimal prozentkodiert',
  uri_path_parameter: 'der Pfad hat ein Semikolon, hinter dem manche Server Parameter sehen',
  uri_dot_segment: 'der Pfad hat ein Segment aus Punkten',
  uri_base_path: 'der Pfad beginnt noch mit base_path, das die Front hätte entfernen sollen',

  role_may_not:
    'die Kamera ist freigegeben, aber die Rolle oder das API-Token darf dies mit ihr nicht: live ansehen, Aufnahmen ansehen, exportieren oder sprechen',
  role_outside_schedule: 'außerhalb des Zeitplans der Rolle oder des API-Tokens',
  before_schedule:
    'dies wurde vor der Zeit aufgenommen, ab der die Rolle oder das API-Token Aufnahmen sieht (history: from)',
  time_unreadable:
    'die Anfrage zeigt nicht, wann dies aufgenommen wurde, und die Rolle sieht keine früheren Aufnahmen (history: from)',
  admin_only: 'nur Admins dürfen das',
  read_only: 'die Rolle darf nur lesen',
  camera_not_granted: 'eine Kamera, um die es geht, gehört nicht zur Rolle',
  login_needed: 'ein API-Token darf das nicht: es gibt, nimmt oder zeigt, womit sich jemand anmeldet',
  cameras_unnamed:
    'das API-Token ist auf einige Kameras beschränkt, und die Anfrage nennt ihre Kameras nicht',
  cameras_too_many:
    'die Abfrage der Liste wäre mit allen Kameras der Rolle zu lang, und es ist nicht bestätigt, dass der Rekorder die anderen weglässt',
  recorder_role_unverified:
    'die Liste umfasst mehrere Kameras, und es ist nicht bestätigt, dass der Rekorder jene weglässt, die nicht zur Rolle gehören',
  body_unread:
    'der Inhalt der Anfrage sagt, worum es geht, und die Front zeigte ihn dem Gate nicht: Die Rolle ist auf Kameras beschränkt, oder der Rekorder hält alle für Admins',
  body_unreadable:
    'der Inhalt der Anfrage sagt, worum es geht, und ist kein einfaches JSON, wie es die Oberfläche des Rekorders sendet; oder das Angebot für WebRTC ist kein einfaches SDP',
  messages_unfiltered:
    'nichts liest die Nachrichten dieses WebSockets: Sie können von Kameras sein, die nicht zur Rolle gehören, oder Befehle für Admins an einen Rekorder, der alle für Admins hält',
  configuration_unmasked:
    'die Konfiguration des Rekorders oder die Quelle eines Streams kann Geheimnisse enthalten, und das Gate verdeckt sie nur dort, wo es Anfragen selbst weitergibt: eingebaute Front, networking.relay',
  stats_unnarrowed:
    'die Kennzahlen des Rekorders können von allen Kameras sein, und das Gate lässt fremde nur dort weg, wo es Anfragen selbst weitergibt: eingebaute Front, networking.relay',
  target_unresolved:
    'was verlangt wird, gehört zu keiner bestimmten Kamera, und die Rolle ist auf Kameras beschränkt',

  audit_unavailable: 'wer zusieht, lässt sich nicht festhalten, und audit.viewing verlangt es',
  store_unavailable:
    'der Speicher der Konten und Rollen ist nicht lesbar, und keine Entscheidung nimmt einen älteren Stand',
  failure: 'ein Fehler im Gate; sicherheitshalber verweigert',
};

/** What an operator does who finds a reason. Code stands between backticks. */
export const advices: Readonly<Record<Reason, string>> = {
  allowed: 'Nichts.',
  shared: 'Nichts. `script/postern shares list` zeigt, wer die Freigabe erstellt hat.',
  public: 'Nichts: Der Rekorder bekommt leere Header der Identität.',

  proxy_secret_missing:
    'Lassen Sie den Proxy davor `X-Proxy-Secret` senden. Tut er das schon, prüfen Sie, ob eine Zwischenstation den Header weglässt oder jemand den Proxy umgeht.',
  proxy_secret_repeated:
    'Lassen Sie den Proxy davor den Header anstelle dessen setzen, den ein Client sendet, statt einen zweiten anzufügen.',
  proxy_secret_mismatch:
    'Vergleichen Sie das Geheimnis des Proxys davor mit `proxy.auth_secret`, samt Anführungszeichen und Leerzeichen. Sind sie gleich, rät jemand.',
  trusted_header_repeated:
    'Lassen Sie den Proxy davor jeden Header aus der Datei der vertrauten Header löschen, den ein Client sendet, bevor er seine eigenen setzt.',
  trusted_header_alias:
    'Schreiben Sie den Header im Proxy davor mit Bindestrichen, und lassen Sie ihn Namen mit Unterstrichen oder Punkten weglassen.',
  trusted_header_hop_by_hop:
    'Kein redlicher Client tut das. Lassen Sie den Proxy davor `Connection` selbst setzen, statt es weiterzugeben.',
  user_missing:
    'Lassen Sie den Proxy davor diesen Pfad anmelden und den Header senden, den `proxy.header_map.user` nennt.',
  user_malformed: 'Berichtigen Sie den Namen, den der Proxy davor sendet.',
  user_reserved: 'Geben Sie dem Benutzer im Proxy davor einen anderen Namen.',
  groups_malformed: 'Berichtigen Sie die Gruppen, die der Proxy davor sendet.',
  no_role:
    'Geben Sie dem Benutzer eine Gruppe, die `proxy.role_map` nennt (Groß- und Kleinschreibung zählt), nennen Sie ihn in `proxy.user_map` oder setzen Sie `proxy.default_role`, und nehmen Sie den Benutzer aus den Gruppen von `none`. Ein Header mit mehreren Gruppen braucht das Trennzeichen des Proxys in `proxy.separator`.',
  no_session: 'Nichts: Der Client muss sich anmelden.',
  token_ambiguous:
    'Der Client muss seine Cookies dieses Hosts und der Domains darüber löschen und einen einzigen Header Authorization senden.',
  token_invalid:
    'Nach einem Wechsel des JWT-Geheimnisses nichts: Der Client muss sich neu anmelden. Sonst prüfen Sie, was der Client sendet.',
  token_expired:
    'Nichts: Der Client muss sich neu anmelden. `auth.session_length` legt fest, wie lange eine Sitzung dauert.',
  token_revoked: 'Nichts: Der Client muss sich neu anmelden.',
  share_unopened:
    'Nichts: Wer den Link hat, öffnet ihn neu. Geschieht es immer, dann lässt ein Proxy davor das Cookie `postern_share` weg, oder er liefert die Seite unter einem anderen Präfix aus, als er sagt.',
  share_over: 'Nichts, oder geben Sie es noch einmal frei.',
  share_scope: 'Nichts: Dafür sind Freigaben da. Ihre Seite fragt nach nichts anderem.',
  share_maker:
    'Nichts, oder lassen Sie wieder herein, wer sie erstellt hat: Dann gilt die Freigabe wieder, bis sie abläuft.',
  user_blocked:
    'Nichts, oder heben Sie die Sperre auf: `script/postern users unblock NAME`. Was der Anbieter gesperrt hat, hebt die nächste Anmeldung dort auf, sobald er wieder eine Rolle gibt.',
  provider_removed:
    'Nichts, oder schreiben Sie `auth.oidc` mit demselben `issuer` wieder in die `config.yml`.',
  oidc_attempt_unknown:
    'Nichts, wenn es einmal vorkommt: Die Person meldet sich neu an. Kommt es immer vor, wird die Seite unter einem anderen Namen als `public_url` geöffnet, sodass das Cookie der Anmeldung nicht gesendet wird.',
  oidc_refused:
    'Die Protokollzeile hat die Antwort des Anbieters (`cause`). `invalid_client`: Vergleichen Sie `auth.oidc.client_id` und `client_secret` mit denen dort. `access_denied`: Die Person darf diesen Client dort nicht benutzen oder hat abgebrochen.',
  oidc_unreachable:
    'Die Protokollzeile nennt die Adresse, die nicht antwortet (`cause`). Lokale Konten melden sich so lange unter `/login?local` an.',
  oidc_protocol_error:
    'Die Protokollzeile nennt den Fehler (`cause`). `script/postern doctor --oidc` prüft den Anbieter. Eine Signatur mit HS256 oder keiner: Lassen Sie den Client dort mit einem Schlüssel signieren, etwa RS256.',
  oidc_name_invalid:
    'Der Name hat höchstens 64 lesbare Zeichen, ohne `/ \\ % : ? ;` und ohne Leerzeichen an den Enden. Setzen Sie `auth.oidc.user_claim` auf einen Claim mit einem solchen Namen, oder benennen Sie die Person beim Anbieter um.',
  oidc_name_taken:
    'Entfernen Sie das lokale Konto dieses Namens, oder benennen Sie die Person beim Anbieter um. Wer dort neu angelegt wurde, ist jemand anderes: Entfernen Sie die frühere Person unter Benutzer.',
  oidc_email_refused:
    'Fügen Sie die Adresse oder ihre `@domain` in `auth.oidc.allowed_emails` hinzu, oder lassen Sie die Person die Adresse beim Anbieter bestätigen. `auth.oidc.scopes` braucht `email`.',
  oidc_no_role:
    'Geben Sie der Person eine Gruppe, die `auth.oidc.role_map` nennt (Groß- und Kleinschreibung zählt), oder setzen Sie `auth.oidc.default_role`. Kommen gar keine Gruppen an, prüfen Sie den Groups-Claim des Clients dort sowie `auth.oidc.groups_claim` und `scopes`.',
  second_factor_missing: 'Der Benutzer richtet auf `/postern/account` einen Passkey oder Einmalcodes ein.',
  user_unknown:
    'Nichts, oder legen Sie den Benutzer wieder an: `script/postern users list` zeigt alle Benutzer.',
  api_token_unknown:
    'Erstellen Sie ein neues Token und geben Sie es dem Client: `script/postern tokens list` zeigt alle Token.',
  api_token_expired:
    'Erstellen Sie ein neues Token und widerrufen Sie dieses. Die Liste der Token zeigt, wann jedes abläuft.',
  api_token_too_wide:
    'Widerrufen Sie das Token und erstellen Sie eines mit einer Rolle, die sein Besitzer vergeben darf. Das Gate verkleinert es nicht: Wer es benutzt, hielte eine halbe Antwort für die ganze.',
  display_unknown:
    'Koppeln Sie den Bildschirm wieder auf `/postern/pair`. `script/postern displays list` zeigt alle Bildschirme.',
  display_expired: 'Koppeln Sie den Bildschirm wieder, oder geben Sie ihm mehr Zeit, bevor sie abläuft.',
  display_only_shows:
    'Nichts, wenn es nur jemand versucht hat: Ein Bildschirm zeigt seine Kamerawand auf `/postern/wall`. Wer mehr will, meldet sich dort an.',
  basic_over_http:
    'Geben Sie dem Client die Adresse mit `https` und ein neues Token: Widerrufen Sie dieses, andere konnten es lesen. Benutzt der Client doch TLS, nennen Sie den Proxy, der es beendet, in `auth.trusted_proxies` und lassen ihn `X-Forwarded-Proto` und `X-Forwarded-For` senden.',
  identity_changed:
    'Nichts: Das Gate hat nichts geändert, weil die Konfiguration sich zwischen Anfrage und Wirkung änderte; oder es hat beendet, was offen war und für die frühere Rolle durchgelassen wurde. Wer es noch darf, versucht es noch einmal.',
  grant_changed:
    'Nichts: Was offen war, wurde für die früheren Kameras durchgelassen. Der Client fragt noch einmal und bekommt, was er jetzt sehen darf.',
  stopped:
    'Nichts: Es endet von selbst, und die Zeile im Protokoll sagt, wann (`opens`). Um es sofort wieder zu erlauben: Einstellungen > Sitzungen. Um jemanden ganz auszuschließen, sperren Sie den Benutzer.',
  cross_site:
    'Nichts, wenn die Seite zu einer anderen Website gehört. Sonst setzen Sie `public_url` auf die Adresse, die der Browser zeigt, oder lassen Sie jeden Proxy davor den Header Host so weitergeben, wie der Browser ihn sendet, mit dem Port.',

  method_refused: 'Nichts: Kein Programm eines Rekorders benutzt sie. Es kann ein Angriff sein.',
  host_unknown:
    'Leitet eine Front Clients an Port 5000 weiter, lassen Sie sie 8971 nehmen: An 5000 sind alle Admins. Benutzen Sie den internen Zugang selbst unter diesem Namen, fügen Sie ihn zu `networking.internal_hosts` hinzu, oder nehmen Sie eine Adresse. Wenn nicht, versucht eine Seite in einem Browser Ihres Netzes, ihn zu erreichen (DNS-Rebinding). Eine Front, die an `networking.forward_auth.internal` fragt, muss den Host des Clients senden.',

  request_unparsable:
    'Die Zeile des Logs nennt den Fehler (`cause`). `HPE_HEADER_OVERFLOW`: Die Header sind länger als 96 KiB; lassen Sie den Proxy davor weniger Gruppen senden. Alles andere: Ein Client sendete Bytes, die kein HTTP erlaubt.',

  front_unproven:
    'Ist es Ihre Front, fügen Sie ihr Netz zu `fronts.trusted` hinzu, oder lassen Sie sie `fronts.secret` in `X-Front-Secret` senden. Wenn nicht, erreicht jemand den Listener, der es nicht sollte.',
  front_path_unknown:
    'Die Zeile des Logs nennt den Pfad, unter dem die Front fragt (`path`). Lassen Sie sie unter `/auth`, `/api/authz/forward-auth` oder `/api/authz/ext-authz/` fragen: docs/fronts/ hat einen Ordner für jede Front. Ist es ein Pfad des Gates selbst, lassen Sie die Front den Header, den die Zeile nennt, aus dem entfernen, was Clients senden.',
  front_public_path:
    'Lassen Sie die Front den Pfad aus der Zeile des Logs ungefragt an das Gate senden: docs/fronts/ hat einen Ordner für jede Front. Wer angemeldet ist, kommt durch.',
  front_header_missing:
    'Die Zeile des Logs nennt den Adapter (`front`) und den Header (`header`): Lassen Sie die Front ihn senden, oder berichtigen Sie den Pfad, unter dem sie fragt. docs/fronts/ hat einen Ordner für jede Front.',
  front_header_repeated: 'Lassen Sie die Front den Header anstelle dessen setzen, den ein Client sendete.',
  front_header_malformed:
    'Lassen Sie die Front den Header selbst setzen: ein Pfad, der mit einem Schrägstrich beginnt, `http` oder `https`, ein Host mit seinem Port, eine Methode. Tut sie das, sendete ein Client einen fehlerhaften Host.',
  front_header_alias:
    'Kein redlicher Client sendet `Remote_User` statt `Remote-User`. Lassen Sie die Front Namen mit Unterstrichen oder Punkten weglassen.',
  front_headers_mixed:
    'Lassen Sie die Front den Header, den die Zeile des Logs nennt, aus dem löschen, was Clients senden, oder berichtigen Sie den Pfad, unter dem sie fragt.',

  uri_missing:
    'Lassen Sie die Front `X-Original-URL` und `X-Original-Method` senden, wie es die Dateien in docs/fronts/ tun.',
  uri_malformed:
    'Berichtigen Sie den Client: falsche Prozentkodierung, Bytes, die kein UTF-8 sind, oder ein Fragment.',
  uri_control_character:
    'Berichtigen Sie den Client: Ein Name mit einem Steuerzeichen ist durch das Gate nicht erreichbar.',
  uri_backslash: 'Berichtigen Sie den Client: Segmente werden durch Schrägstriche getrennt.',
  uri_encoded_slash:
    'Berichtigen Sie den Client: Der Schrägstrich wird gesendet, wie er ist, und kein Name enthält einen.',
  uri_double_encoded: 'Berichtigen Sie den Client: Der Pfad wird einmal kodiert.',
  uri_path_parameter: 'Berichtigen Sie den Client: Kein Pfad eines Rekorders hat ein Semikolon.',
  uri_dot_segment: 'Berichtigen Sie den Client: `.` und `..` werden vor dem Senden aufgelöst.',
  uri_base_path:
    'Fragt eine andere Front: Lassen Sie sie das Präfix entfernen, bevor sie fragt und weitergibt, oder lassen Sie `base_path` leer. Sonst berichtigen Sie den Client: Das Präfix wird einmal und ohne Prozentkodierung gesendet.',

  role_may_not:
    'Nichts, oder geben Sie der Rolle, was die Logzeile in `missing` nennt: `may` der Rolle in `auth.role_access` oder Einstellungen > Zugriff. Hat die Zeile eine `token_id`, kann das API-Token ein engeres eigenes `may` haben: Legen Sie ein anderes an. Fehlt `talk`, kann auch ein Front der Grund sein, der `/live/` und `/api/go2rtc/` nicht an `networking.relay` sendet. Ein eigener Pfad in `access.rules` verlangt `live`, `history` und `export`, wenn die Regel kein `may` hat.',
  role_outside_schedule:
    'Nichts, oder ändern Sie den Zeitplan der Rolle: `auth.role_access` in `config.yml` oder Einstellungen > Zugriff. Ein API-Token kann einen eigenen Zeitplan haben: Legen Sie ein anderes an. Die Zeiten gelten in der Zeitzone von `timezone` oder sonst `TZ`.',
  before_schedule:
    'Nichts, oder entfernen Sie `history` bei der Rolle in `auth.role_access`. Ein API-Token kann ein eigenes `history` haben: Legen Sie ein anderes an.',
  time_unreadable:
    'Nichts, oder entfernen Sie `history` bei der Rolle in `auth.role_access`. Eine Liste braucht `after`, das Fronten hinzufügen, die Abfragen einschränken; docs/custom-roles.md nennt, was verschlossen ist. Ein eigener Pfad, unter dem nichts aufgenommen ist, braucht `recorded: now` in `access.rules`.',
  admin_only: 'Nichts, oder geben Sie dem Benutzer die Rolle `admin`.',
  read_only:
    'Nichts, oder geben Sie dem Benutzer die Rolle `admin`: Jede andere Rolle darf nur GET und HEAD senden.',
  camera_not_granted:
    'Nichts, oder fügen Sie die Kamera in `auth.roles` zur Rolle hinzu. Groß- und Kleinschreibung zählt, und Streams, nach denen mit `src` gefragt wird, gehören zu den Namen der Kameras.',
  login_needed:
    'Melden Sie sich an, oder nehmen Sie den Befehl `postern`: API-Token können keine Konten, Sitzungen und API-Token ändern (docs/api-tokens.md).',
  cameras_unnamed:
    'Lassen Sie den Client die Kameras in der Abfrage nennen, wie in docs/api-tokens.md, oder nehmen Sie ein Token einer eigenen Rolle ohne Liste von Kameras.',
  cameras_too_many:
    'Lassen Sie den Client die nötigen Kameras in der Abfrage nennen, oder lassen Sie den Rekorder die Rolle bestätigen, wie bei `recorder_role_unverified`. Eine Anfrage ist auf 8.000 Zeichen begrenzt, weil Fronten und Rekorder keine längeren annehmen.',
  recorder_role_unverified:
    'Sehen Sie unter Einstellungen > Zugriff nach: Dort steht, was der Rekorder antwortete. Definieren Sie die Rolle auch im Rekorder, mit denselben Kameras oder weniger, und lassen Sie `upstream` den Port nennen, an dem der Rekorder den Headern der Identität glaubt (docs/custom-roles.md). Oder lassen Sie den Client in der Abfrage Kameras nennen.',
  body_unread:
    'Lassen Sie die Front den Pfad an `networking.relay` senden, wie es die Dateien in docs/fronts/ tun: Eine Front, die nur fragt, zeigt dem Gate keinen Inhalt (docs/recorder-lists.md). Wer nicht auf Kameras beschränkt ist, darf es durch jede Front, außer der Rekorder hält alle für Admins.',
  body_unreadable:
    'Senden Sie `Content-Type: application/json`, UTF-8, höchstens 64 KiB, mit den Feldern, die docs/recorder-lists.md nennt, und keinen anderen, jedes einmal. WebRTC-Angebote dürfen auch als SDP kommen, nicht als Formular.',
  messages_unfiltered:
    'Lassen Sie die Front `/ws` an `networking.relay` senden, wie es die Dateien in docs/fronts/ tun: Dort und in der eingebauten Front filtert das Gate die Nachrichten. Eine Rolle, die auf Kameras beschränkt ist, öffnet keinen WebSocket eines anderen Pfades, der keine Kamera nennt.',
  configuration_unmasked:
    'Lassen Sie die Front `/api/config` und `/api/go2rtc/` an `networking.relay` senden: Dort und in der eingebauten Front verdeckt das Gate die Geheimnisse. Ohne das ist sie hinter dieser Front nur für Admins (docs/recorder-lists.md).',
  stats_unnarrowed:
    'Lassen Sie die Front `/api/stats` an `networking.relay` senden, wie es die Dateien in docs/fronts/ tun: Dort und in der eingebauten Front lässt das Gate andere Kameras weg.',
  target_unresolved:
    'Nichts: Verzeichnislisten sowie Clips und Exporte, die keine Kamera nennen, sind eigenen Rollen verschlossen. Ein Pfad, der seine Kamera nennt, braucht eine Regel in `access.rules` (docs/access.md).',

  audit_unavailable:
    'Schaffen Sie Platz für `activity.db`, oder stellen Sie PostgreSQL wieder her: Das Log nennt den Fehler. Ohne `required` zeigt `audit.viewing` auch, was es nicht festhalten kann.',
  store_unavailable:
    'Stellen Sie den Speicher wieder her: Die Zeile des Logs davor nennt den Fehler. Mit `store.url` ist es PostgreSQL (docs/growth.md).',
  failure: 'Lesen Sie den Fehler in der Zeile des Logs davor, und melden Sie ihn.',
};
