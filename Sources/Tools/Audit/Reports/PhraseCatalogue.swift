extension Phrase {
    /// The catalogue. Every phrase has words in every language, or this does not compile.
    var words: Words {
        switch self {
        case .verbatim(let text): Words(text, ko: text, ja: text)
        case .list(let facts):
            Words(
                facts.map(\.english).joined(separator: ", "), ko: facts.map { $0[.korean] }.joined(separator: ", "),
                ja: facts.map { $0[.japanese] }.joined(separator: "、"))
        case .about(let what, let fact):
            Words(
                "\(what[.english]): \(fact[.english])", ko: "\(what[.korean]): \(fact[.korean])",
                ja: "\(what[.japanese]): \(fact[.japanese])")
        case .noWindow(let why):
            Words("it has no window: \(why[.english])", ko: "윈도우가 없다: \(why[.korean])", ja: "ウインドウがない: \(why[.japanese])")
        case .notStartedByShell(let why): Words("the shell cannot start it: \(why)", ko: "셸이 시작할 수 없다: \(why)", ja: "シェルが起動できない: \(why)")
        case .noWindowWithin(let seconds):
            Words("it showed no window in \(seconds) s", ko: "\(seconds)초 안에 윈도우를 보여 주지 않았다", ja: "\(seconds)秒以内にウインドウを表示しなかった")
        case .endedBySignal(let number, let says):
            Words(
                said("it was ended by signal \(number)", says), ko: said("시그널 \(number)(으)로 끝났다", says),
                ja: said("シグナル\(number)で終了した", says))
        case .endedWithStatus(let number, let says):
            Words(
                said("it ended with status \(number)", says), ko: said("상태 \(number)(으)로 끝났다", says), ja: said("ステータス\(number)で終了した", says))
        case .floodsOutput(let size):
            Words(
                "it writes more than \(size) MiB to its output, which fills the disk", ko: "출력이 \(size) MiB를 넘어 디스크를 채운다",
                ja: "出力が\(size) MiBを超え、ディスクを埋める")
        case .signal(let number): Words("ended by signal \(number)", ko: "시그널 \(number)(으)로 끝남", ja: "シグナル\(number)で終了")
        case .status(let number): Words("ended with status \(number)", ko: "상태 \(number)(으)로 끝남", ja: "ステータス\(number)で終了")
        case .busDoesNotStart(let log):
            Words("the session bus does not start: \(log)", ko: "세션 버스가 시작되지 않는다: \(log)", ja: "セッションバスが起動しない: \(log)")
        case .shellDoesNotStart(let log):
            Words("the shell does not start; its log ends with: \(log)", ko: "셸이 시작되지 않는다. 로그의 끝: \(log)", ja: "シェルが起動しない。ログの末尾: \(log)")
        case .shellEnded(let log):
            Words(
                "the shell ended, by an error of its own or because the app ended it: \(log)", ko: "셸이 자체 오류로 끝났거나 앱이 셸을 끝냈다: \(log)",
                ja: "シェルが自身のエラーで終了したか、アプリがシェルを終了させた: \(log)")
        case .noNewWindowOffered(let why):
            Words("the shell offers no new window: \(why)", ko: "셸이 새 윈도우를 제공하지 않는다: \(why)", ja: "シェルが新しいウインドウを提供しない: \(why)")
        case .reasonToRun(let kind):
            Words(
                "it has a reason to run: \(kind)", ko: "실행될 까닭이 있다: \(Phrase.reason(kind).ko)", ja: "動作する理由がある: \(Phrase.reason(kind).ja)")
        case .closedBy(let device):
            Words(
                "its window closed when it got \(device.rawValue) events", ko: "\(device.words.ko) 이벤트를 받자 윈도우가 닫혔다",
                ja: "\(device.words.ja)イベントを受けるとウインドウが閉じた")
        case .asksFor(let device):
            Words("it asks for \(device.rawValue) events", ko: "\(device.words.ko) 이벤트를 요청한다", ja: "\(device.words.ja)イベントを要求する")
        case .deafFor(let device):
            Words(
                "it does not ask for \(device.rawValue) events", ko: "\(device.words.ko) 이벤트를 요청하지 않는다", ja: "\(device.words.ja)イベントを要求しない")
        case .firstWindow(let time):
            Words("its first window after \(time.words) s", ko: "첫 윈도우까지 \(time.words)초", ja: "最初のウインドウまで\(time.words)秒")
        case .screen(let size, let told?):
            Words(
                "screen \(size.words): told \(told.words)", ko: "화면 \(size.words): 지시 \(told.words)", ja: "画面\(size.words): 指示\(told.words)"
            )
        case .screen(let size, nil): Words("screen \(size.words)", ko: "화면 \(size.words)", ja: "画面\(size.words)")
        case .drew(let size): Words("drew \(size.words)", ko: "그린 크기 \(size.words)", ja: "描画\(size.words)")
        case .minimum(let size): Words("minimum \(size.words)", ko: "최소 \(size.words)", ja: "最小\(size.words)")
        case .shownAt(let percent): Words("shown at \(percent) %", ko: "\(percent) %로 표시", ja: "\(percent) %で表示")
        case .protocolError(let text): Words("protocol error: \(text)", ko: "프로토콜 오류: \(text)", ja: "プロトコルエラー: \(text)")
        case .scale(let scale): Words("scale \(scale.words)", ko: "배율 \(scale.words)", ja: "倍率\(scale.words)")
        case .median(let time, let count?):
            Words("median \(time.words) s of \(count)", ko: "\(time.words)초(중앙값, \(count)회)", ja: "中央値\(time.words)秒（\(count)回）")
        case .median(let time, nil): Words("median \(time.words) s", ko: "중앙값 \(time.words)초", ja: "中央値\(time.words)秒")
        case .controls(let objects, let controls, let nameless):
            Words(
                "\(objects) objects, \(controls) controls, \(nameless) without a name",
                ko: "객체 \(objects)개, 컨트롤 \(controls)개, 이름 없음 \(nameless)개",
                ja: "オブジェクト\(objects)個、コントロール\(controls)個、名前なし\(nameless)個")
        case .role(let role, let count): Words("\(count) of role \(role)", ko: "\(count)개, 역할 \(role)", ja: "\(count)個、役割\(role)")
        case .targets(let all, let small, let large):
            Words(
                "\(all) controls; \(small) below 24 points, \(large) of at least 44",
                ko: "컨트롤 \(all)개; 24포인트 미만 \(small)개, 44포인트 이상 \(large)개",
                ja: "コントロール\(all)個；24ポイント未満\(small)個、44ポイント以上\(large)個")
        case .noRequest(let request): Words("no \(request)", ko: "\(request) 없음", ja: "\(request)なし")
        case .focus(let possible, let had):
            Words(
                "\(possible) objects can have the focus; \(had) had it", ko: "포커스를 받을 수 있는 객체 \(possible)개; 실제로 받은 것 \(had)개",
                ja: "フォーカスを受け取れるオブジェクト\(possible)個；受け取ったもの\(had)個")
        case .pixelsDiffer(let count, let all, let own):
            Words(
                "\(count) of \(all) pixels differ; \(own) by themselves", ko: "\(count)/\(all) 픽셀이 다름; 저절로 바뀐 것 \(own)",
                ja: "\(count)/\(all)ピクセルが異なる；ひとりでに変わったもの\(own)")
        case .pixelsChanged(let count, let all, let own):
            Words(
                "\(count) of \(all) pixels changed; \(own) by themselves", ko: "\(count)/\(all) 픽셀이 바뀜; 저절로 바뀐 것 \(own)",
                ja: "\(count)/\(all)ピクセルが変化；ひとりでに変わったもの\(own)")
        case .frames(let seen, let hidden, let again):
            Words(
                "\(seen.words) frames a second in sight, \(hidden.words) out of sight, \(again.words) in sight again",
                ko: "보일 때 초당 \(seen.words)프레임, 보이지 않을 때 \(hidden.words), 다시 보일 때 \(again.words)",
                ja: "見えている間は毎秒\(seen.words)フレーム、見えない間は\(hidden.words)、再び見えると\(again.words)")
        case .load(let share, let wakeups, let commits):
            Words(
                "\(share.words) % of a processor, \(wakeups.words) wakeups and \(commits.words) commits a second",
                ko: "프로세서 하나의 \(share.words) %, 초당 깨어남 \(wakeups.words)회, 커밋 \(commits.words)회",
                ja: "プロセッサ1つの\(share.words) %、毎秒ウェイクアップ\(wakeups.words)回、コミット\(commits.words)回")
        case .frozen(let isFrozen, let before, let after):
            Words(
                "\(isFrozen ? "frozen" : "not frozen"), windows \(before) and \(after)",
                ko: "\(isFrozen ? "얼림" : "얼리지 않음"), 윈도우 \(before)개와 \(after)개",
                ja: "\(isFrozen ? "凍結" : "凍結なし")、ウインドウ\(before)個と\(after)個")
        case .reasonsToRun(let kinds):
            Words(
                "reasons to run: \(kinds.joined(separator: ", "))",
                ko: "실행될 까닭: \(kinds.map { Phrase.reason($0).ko }.joined(separator: ", "))",
                ja: "動作する理由: \(kinds.map { Phrase.reason($0).ja }.joined(separator: "、"))")
        case .windows(let before, let after):
            Words(
                "windows before: \(before), afterwards: \(after)", ko: "이전 윈도우 \(before)개, 이후 \(after)개",
                ja: "以前のウインドウ\(before)個、以後\(after)個")
        case .typedText(true):
            Words("the typed text was exposed before, and is afterwards", ko: "입력한 글이 전에도 있었고 이후에도 있다", ja: "入力した文字が以前にも以後にもある")
        case .typedText(false):
            Words("the typed text was exposed before, and is not afterwards", ko: "입력한 글이 전에는 있었지만 이후에는 없다", ja: "入力した文字が以前はあったが、以後はない")
        case .way(.close): Words("close", ko: "닫기", ja: "閉じる")
        case .way(.quit): Words("quit", ko: "앱 종료", ja: "アプリの終了")
        case .way(.session): Words("session", ko: "세션 종료", ja: "セッションの終了")
        case .outcome(.asked): Phrase.asked.words
        case .outcome(.kept): Words("kept", ko: "보존됨", ja: "保持された")
        case .outcome(.lost): Words("lost", ko: "잃음", ja: "失われた")
        case .outcome(.stayed): Words("stayed", ko: "남아 있음", ja: "残った")
        case .menu(let size, let room):
            Words("menu \(size.words) in \(room.words)", ko: "\(room.words) 안의 메뉴 \(size.words)", ja: "メニュー\(size.words)、範囲\(room.words)")
        case .menuThen(let keys): Words("a menu, then \(keys)", ko: "메뉴, 그다음 \(keys)", ja: "メニュー、次に\(keys)")
        case .parent(true): Words("a parent", ko: "부모 있음", ja: "親あり")
        case .parent(false): Words("no parent", ko: "부모 없음", ja: "親なし")
        case .title(true): Words("a title", ko: "제목 있음", ja: "タイトルあり")
        case .title(false): Words("no title", ko: "제목 없음", ja: "タイトルなし")
        case .left(false?): Words("left by Escape", ko: "Escape로 나감", ja: "Escapeで抜けた")
        case .left(true?): Words("left by closing", ko: "닫아서 나감", ja: "閉じて抜けた")
        case .left(nil): Words("not left", ko: "나가지 못함", ja: "抜けられない")
        case .facts(let tap, let click):
            Words(
                "a tap changed \(tap) facts, a click \(click)", ko: "탭으로 \(tap)가지가 바뀜, 클릭으로 \(click)가지", ja: "タップで\(tap)件が変化、クリックで\(click)件"
            )
        case .brightness(let bright, let dark):
            Words(
                "brightness \(bright) of 255, in the dark appearance \(dark)", ko: "밝기 255 중 \(bright), 어두운 화면 모드에서 \(dark)",
                ja: "明るさ255中\(bright)、ダークの外観では\(dark)")
        case .mirroring(let sided, let mirrored, let translated):
            Words(
                "\(sided) controls at a side, \(mirrored) mirrored; \(translated) with other words",
                ko: "한쪽에 놓인 컨트롤 \(sided)개, 뒤집힌 것 \(mirrored)개; 글이 바뀐 것 \(translated)개",
                ja: "片側のコントロール\(sided)個、反転\(mirrored)個；言葉の変化\(translated)個")
        case .entry(let id, let windowClass?):
            Words(
                "entry \(id), StartupWMClass \(windowClass)", ko: "항목 \(id), StartupWMClass \(windowClass)",
                ja: "エントリ\(id)、StartupWMClass \(windowClass)")
        case .entry(let id, nil): Words("entry \(id)", ko: "항목 \(id)", ja: "エントリ\(id)")
        case .appID(let id): Words("app id \"\(id)\"", ko: "앱 ID \"\(id)\"", ja: "app id \"\(id)\"")
        case .window(let id, let hasParent, let isHeld):
            Words(
                "a window of app id \"\(id)\"\(hasParent ? " with a parent" : "")\(isHeld ? ", held back by the shell" : "")",
                ko: "앱 ID \"\(id)\"의 윈도우\(hasParent ? "(부모 있음)" : "")\(isHeld ? ", 셸이 붙잡아 둠" : "")",
                ja: "app id \"\(id)\"のウインドウ\(hasParent ? "（親あり）" : "")\(isHeld ? "、シェルが保留" : "")")
        case .notification(let level): Words("a notification of level \(level)", ko: "\(level) 수준의 알림", ja: "レベル\(level)の通知")
        case .otherSound(let role): Phrase.sound(role: role)
        case .gaveWay(true): Words("gave way", ko: "자리를 내줌", ja: "譲った")
        case .gaveWay(false): Words("played on", ko: "계속 재생함", ja: "再生を続けた")
        case .streamsStopped(true): Words("its streams stopped", ko: "스트림이 멈춤", ja: "ストリームが停止")
        case .streamsStopped(false): Words("its streams ran on", ko: "스트림이 계속됨", ja: "ストリームが継続")
        case .heardAfterwards(true): Words("heard afterwards", ko: "이후 들림", ja: "その後聞こえる")
        case .heardAfterwards(false): Words("silent afterwards", ko: "이후 조용함", ja: "その後無音")
        case .playsOnPlugged(true): Words("plays on when plugged in", ko: "꽂을 때 계속 재생", ja: "差し込んでも再生を続ける")
        case .playsOnPlugged(false): Words("silent when plugged in", ko: "꽂을 때 조용함", ja: "差し込むと無音")
        case .heardPulled(true): Words("heard after it was pulled out", ko: "뽑은 뒤 들림", ja: "抜いた後に聞こえる")
        case .heardPulled(false): Words("not heard after it was pulled out", ko: "뽑은 뒤 들리지 않음", ja: "抜いた後は聞こえない")
        // Starting.
        case .showsWindow: Words("it shows a window", ko: "윈도우를 보여 준다", ja: "ウインドウを表示する")
        case .firstWindowLate:
            Words("people wait more than 10 s for its first window", ko: "첫 윈도우가 나올 때까지 10초 넘게 기다린다", ja: "最初のウインドウまで10秒以上待たされる")
        case .didNotStart: Words("it did not start", ko: "시작하지 않았다", ja: "起動しなかった")
        case .cannotBeStarted: Words("it cannot be started", ko: "시작할 수 없다", ja: "起動できない")
        case .windowsGone: Words("the app has no window any more", ko: "앱의 윈도우가 더는 없다", ja: "アプリのウインドウがもうない")
        case .timeOver: Words("the time for this app was over", ko: "이 앱에 쓸 시간이 끝났다", ja: "このアプリの時間が尽きた")
        case .endedForFlood: Words("it was ended, because it floods its output", ko: "출력을 쏟아 내어 끝냈다", ja: "出力があふれたため終了させた")
        // Reasons why an app could not be audited.
        case .noSuchFile: Words("there is no such file", ko: "그런 파일이 없다", ja: "そのようなファイルはない")
        case .noDesktopEntry:
            Words(
                "it describes no app: it is no valid desktop entry of type Application with a name and a command",
                ko: "앱을 나타내지 않는다: 이름과 명령이 있는 Application 형식의 올바른 데스크톱 항목이 아니다", ja: "アプリを表していない: 名前とコマンドのあるApplication型の有効なデスクトップエントリではない")
        case .unknownApp:
            Words(
                "it is neither an installed app, nor a desktop file, nor a program", ko: "설치된 앱도, 데스크톱 파일도, 프로그램도 아니다",
                ja: "インストール済みのアプリでも、デスクトップファイルでも、プログラムでもない")
        case .shellStays: Words("the shell does not end", ko: "셸이 끝나지 않는다", ja: "シェルが終了しない")
        // Windows.
        case .openedNothing: Words("it opened nothing by itself", ko: "스스로 아무것도 열지 않았다", ja: "自分からは何も開かなかった")
        case .openedWindow: Words("it opened a window that nobody asked for", ko: "아무도 요청하지 않은 윈도우를 열었다", ja: "求められていないウインドウを開いた")
        case .openedDialog: Words("it opened a dialog that nobody asked for", ko: "아무도 요청하지 않은 대화상자를 열었다", ja: "求められていないダイアログを開いた")
        case .keepsOpeningWindows:
            Words("it keeps opening windows that nobody asked for", ko: "아무도 요청하지 않은 윈도우를 계속 연다", ja: "誰も求めていないウインドウを開き続ける")
        case .newWindowWorks: Words("another window opens and closes", ko: "다른 윈도우가 열리고 닫힌다", ja: "別のウインドウが開き、閉じる")
        case .noNewWindow: Words("no new window opened", ko: "새 윈도우가 열리지 않았다", ja: "新しいウインドウが開かなかった")
        case .newWindowStays: Words("the new window cannot be closed", ko: "새 윈도우를 닫을 수 없다", ja: "新しいウインドウを閉じられない")
        case .firstWindowWent:
            Words("the first window went when a new one was asked for", ko: "새 윈도우를 요청하자 첫 윈도우가 사라졌다", ja: "新しいウインドウを求めると最初のウインドウが消えた")
        case .newWindowsOfInstalledAppsOnly:
            Words("the shell offers new windows for installed apps", ko: "셸은 설치된 앱에만 새 윈도우를 제공한다", ja: "シェルはインストール済みのアプリにだけ新しいウインドウを提供する")
        case .entrySaysSingleWindow:
            Words("its entry says that it has a single window", ko: "항목에 윈도우가 하나라고 적혀 있다", ja: "エントリにウインドウは1つと書かれている")
        case .idiomHasSingleWindow: Words("an app has a single window here", ko: "여기서는 앱의 윈도우가 하나이다", ja: "ここではアプリのウインドウは1つである")
        // Sizes.
        case .adaptsToEverySize: Words("it adapts to every size", ko: "모든 크기에 맞춰진다", ja: "すべてのサイズに適応する")
        case .mayChooseItsSizeHere: Words("it may choose its size here", ko: "여기서는 크기를 스스로 정해도 된다", ja: "ここではサイズを自由に決めてよい")
        case .mayChooseItsSize: Words("it may choose its size", ko: "크기를 스스로 정해도 된다", ja: "サイズを自由に決めてよい")
        case .closedAtSize: Words("its window closed at a size", ko: "어떤 크기에서 윈도우가 닫혔다", ja: "あるサイズでウインドウが閉じた")
        case .brokeProtocolAtSize: Words("it broke the protocol at a size", ko: "어떤 크기에서 프로토콜을 어겼다", ja: "あるサイズでプロトコルに違反した")
        case .noAnswerToSize: Words("it did not answer a size within 5 s", ko: "크기 요청에 5초 안에 답하지 않았다", ja: "サイズの要求に5秒以内に応答しなかった")
        case .minimumAbovePlace:
            Words(
                "it cannot be as small as a place, so that the shell draws it smaller", ko: "자리만큼 작아질 수 없어 셸이 줄여 그린다",
                ja: "場所ほど小さくなれないため、シェルが縮小して描画する")
        case .minimumMakesSmaller:
            Words("its minimum size makes the shell draw it smaller", ko: "최소 크기 때문에 셸이 줄여 그린다", ja: "最小サイズのため、シェルが縮小して描画する")
        case .drawsMoreThanTold:
            Words(
                "it draws more than it was told, without a minimum size that says so", ko: "최소 크기를 알리지 않고 지시보다 크게 그린다",
                ja: "最小サイズを知らせずに、指示より大きく描画する")
        case .drawsLessThanTold:
            Words(
                "it draws less than it was told, without a maximum size that says so", ko: "최대 크기를 알리지 않고 지시보다 작게 그린다",
                ja: "最大サイズを知らせずに、指示より小さく描画する")
        case .maximumLeavesRoom:
            Words("its maximum size leaves a part of its place empty", ko: "최대 크기 때문에 자리 일부가 빈다", ja: "最大サイズのため、場所の一部が空く")
        case .emptyEdges: Words("its content does not reach every edge", ko: "내용이 모든 가장자리에 닿지 않는다", ja: "内容がすべての端に届いていない")
        case .followsScreen: Words("it follows the screen", ko: "화면을 따라간다", ja: "画面に追従する")
        case .noScaleOnX11: Words("X11 programs know no scale", ko: "X11 프로그램에는 배율이 없다", ja: "X11プログラムには倍率がない")
        case .closedAtScale: Words("its window closed at another scale", ko: "다른 배율에서 윈도우가 닫혔다", ja: "別の倍率でウインドウが閉じた")
        case .noAnswerToScale: Words("it did not answer another scale within 5 s", ko: "다른 배율에 5초 안에 답하지 않았다", ja: "別の倍率に5秒以内に応答しなかった")
        case .buffersUnknown:
            Words(
                "its library prints no messages, so that its buffers are not known", ko: "라이브러리가 메시지를 출력하지 않아 버퍼를 알 수 없다",
                ja: "ライブラリがメッセージを出力しないため、バッファが分からない")
        case .followsScale: Words("its buffers follow the scale", ko: "버퍼가 배율을 따른다", ja: "バッファが倍率に従う")
        case .blurred:
            Words("it draws for scale 1, and the shell must enlarge it", ko: "배율 1로 그려서 셸이 확대해야 한다", ja: "倍率1で描画するため、シェルが拡大しなければならない")
        case .followsScaleAfterRestart:
            Words("it follows another scale only when it is started again", ko: "다시 시작해야 다른 배율을 따른다", ja: "再び起動しないと別の倍率に従わない")
        case .noSecondWindow: Words("no second window opened", ko: "두 번째 윈도우가 열리지 않았다", ja: "2つ目のウインドウが開かなかった")
        case .noPicture: Words("there is no picture of it", ko: "그림이 없다", ja: "画像がない")
        case .sizesDiffer: Words("its sizes in the two places differ", ko: "두 자리에서의 크기가 다르다", ja: "2つの場所でのサイズが異なる")
        case .looksEqual: Words("equal pictures at equal sizes", ko: "크기가 같으면 그림도 같다", ja: "同じサイズなら同じ画像になる")
        case .contentMoves: Words("its content moves by itself", ko: "내용이 저절로 움직인다", ja: "内容がひとりでに動く")
        case .looksDifferent:
            Words("it looks different in another place of the same size", ko: "크기가 같은 다른 자리에서 다르게 보인다", ja: "同じサイズの別の場所で見た目が異なる")
        case .neverDrewSizes: Words("it never drew the sizes it was told", ko: "지시한 크기를 한 번도 그리지 않았다", ja: "指示されたサイズを一度も描画しなかった")
        case .answersSlowly: Words("it answers slowly", ko: "답이 느리다", ja: "応答が遅い")
        case .answersQuickly: Words("it answers quickly", ko: "빠르게 답한다", ja: "すばやく応答する")
        // Out of sight.
        case .nothingMoves: Words("nothing moves by itself", ko: "저절로 움직이는 것이 없다", ja: "ひとりでに動くものがない")
        case .animatesHidden: Words("its animation runs on out of sight", ko: "보이지 않는데도 애니메이션이 계속된다", ja: "見えなくてもアニメーションが続く")
        case .animationStuck: Words("its animation does not go on in sight", ko: "다시 보여도 애니메이션이 이어지지 않는다", ja: "再び見えてもアニメーションが再開しない")
        case .drawsHidden: Words("it draws out of sight", ko: "보이지 않는데도 그린다", ja: "見えなくても描画する")
        case .animatesOnlyInSight: Words("it animates only in sight", ko: "보일 때만 움직인다", ja: "見えている間だけ動く")
        case .hasReasonToRun: Words("it has a reason to run", ko: "실행될 까닭이 있다", ja: "動作する理由がある")
        case .worksHardUnseen: Words("it works hard while nobody sees it", ko: "아무도 보지 않는데 많은 일을 한다", ja: "誰も見ていないのに重い処理をする")
        case .worksUnseen: Words("it works while nobody sees it", ko: "아무도 보지 않는데 일한다", ja: "誰も見ていないのに動作する")
        case .drawsUnseen: Words("it draws while nobody sees it", ko: "아무도 보지 않는데 그린다", ja: "誰も見ていないのに描画する")
        case .rests: Words("it rests", ko: "쉰다", ja: "休む")
        case .noAnswerWhenShown: Words("it did not answer when it was shown again", ko: "다시 보였을 때 답하지 않았다", ja: "再び表示されたとき応答しなかった")
        case .slowWhenShown: Words("it is slow when it is shown again", ko: "다시 보일 때 느리다", ja: "再び表示されるとき遅い")
        case .backAtOnce: Words("it is back at once", ko: "바로 돌아온다", ja: "すぐに戻る")
        case .windowsGoneAfterFreeze: Words("windows are gone after it was frozen", ko: "얼린 뒤 윈도우가 사라졌다", ja: "凍結の後、ウインドウが消えた")
        case .noAnswerAfterFreeze: Words("it does not answer after it was frozen", ko: "얼린 뒤 답하지 않는다", ja: "凍結の後、応答しない")
        case .keepsItselfAwake: Words("it keeps itself awake", ko: "스스로를 깨워 둔다", ja: "自身を起こしたままにする")
        case .notFrozen: Words("the shell did not freeze it", ko: "셸이 얼리지 않았다", ja: "シェルが凍結しなかった")
        case .goesOnAsBefore: Words("it goes on as before", ko: "전과 같이 이어 간다", ja: "以前のまま続ける")
        case .doesNotComeBack: Words("it does not come back", ko: "돌아오지 않는다", ja: "戻らない")
        case .someWindowsMissing: Words("not all of its windows come back", ko: "일부 윈도우가 돌아오지 않는다", ja: "一部のウインドウが戻らない")
        case .textLost: Words("what was typed is lost", ko: "입력한 것을 잃는다", ja: "入力した内容が失われる")
        case .windowsAndTextBack: Words("its windows and the typed text come back", ko: "윈도우와 입력한 글이 돌아온다", ja: "ウインドウと入力した文字が戻る")
        case .windowsBackTextUnknown:
            Words(
                "its windows come back; it exposes no typed text that could be compared", ko: "윈도우는 돌아오지만 비교할 입력 글을 공개하지 않는다",
                ja: "ウインドウは戻るが、比較できる入力文字を公開していない")
        case .noTextToCompare: Words("it exposes no typed text that could be compared", ko: "비교할 입력 글을 공개하지 않는다", ja: "比較できる入力文字を公開していない")
        case .noWindowKept: Words("the shell kept no window of it", ko: "셸이 그 윈도우를 보관하지 않았다", ja: "シェルがそのウインドウを保持しなかった")
        case .noWindowAfterRestart: Words("no window comes back after a restart", ko: "다시 시작한 뒤 윈도우가 돌아오지 않는다", ja: "再起動後にウインドウが戻らない")
        case .someWindowsMissingAfterRestart:
            Words("not all windows come back after a restart", ko: "다시 시작한 뒤 일부 윈도우가 돌아오지 않는다", ja: "再起動後に一部のウインドウが戻らない")
        case .textLostAfterRestart: Words("what was typed is lost after a restart", ko: "다시 시작한 뒤 입력한 것을 잃는다", ja: "再起動後に入力した内容が失われる")
        case .windowsBack: Words("its windows come back", ko: "윈도우가 돌아온다", ja: "ウインドウが戻る")
        // Crashing.
        case .crashed: Words("it crashed", ko: "비정상 종료되었다", ja: "クラッシュした")
        case .didNotCrash: Words("it did not crash", ko: "비정상 종료되지 않았다", ja: "クラッシュしなかった")
        case .wasNotStarted: Words("it was not started", ko: "시작하지 않았다", ja: "起動されなかった")
        case .crashesInThisCheck: Words("it crashes while this is checked", ko: "이것을 검사하는 동안 비정상 종료된다", ja: "この検査中にクラッシュする")
        case .crashedTooOften: Words("it crashed in earlier checks again and again", ko: "앞선 검사에서 거듭 비정상 종료되었다", ja: "これまでの検査で何度もクラッシュした")
        case .endedWithError:
            Words("it ended with an error although nobody asked it to", ko: "아무도 요청하지 않았는데 오류로 끝났다", ja: "誰も求めていないのにエラーで終了した")
        // Closing.
        case .crashesOnClose: Words("it crashes when it closes", ko: "닫힐 때 비정상 종료된다", ja: "閉じるときにクラッシュする")
        case .breaksProtocolOnClose: Words("it breaks the protocol when it closes", ko: "닫힐 때 프로토콜을 어긴다", ja: "閉じるときにプロトコルに違反する")
        case .staysWithoutQuestion:
            Words(
                "its window stays after a request to close, without a question", ko: "닫으라고 해도 묻지도 않고 윈도우가 남는다", ja: "閉じるよう求めても、尋ねずにウインドウが残る"
            )
        case .answersNothing: Words("it answers neither a request to close nor pings", ko: "닫기 요청에도 핑에도 답하지 않는다", ja: "閉じる要求にもpingにも応答しない")
        case .questionIsTrap:
            Words("its question has no way out by Escape or by closing it", ko: "질문을 Escape나 닫기로 벗어날 수 없다", ja: "質問からEscapeでも閉じる操作でも抜けられない")
        case .closesOrAsks: Words("it closes or asks", ko: "닫히거나 물어본다", ja: "閉じるか、尋ねる")
        case .asksOrKeepsText: Words("it asks, or keeps what was typed", ko: "물어보거나 입력한 것을 보존한다", ja: "尋ねるか、入力した内容を保持する")
        case .didNotClose: Words("it did not close", ko: "닫히지 않았다", ja: "閉じなかった")
        case .documentLost:
            Words(
                "a document is closed and what was typed is lost without a question", ko: "문서가 닫히고 입력한 것을 묻지도 않고 잃는다",
                ja: "書類が閉じ、入力した内容が尋ねられずに失われる")
        case .textLostWithoutQuestion: Words("what was typed is lost without a question", ko: "입력한 것을 묻지도 않고 잃는다", ja: "入力した内容が尋ねられずに失われる")
        // Menus and dialogs.
        case .staysInSight: Words("it stays in sight", ko: "계속 보인다", ja: "見えたままである")
        case .notInSight: Words("it is not in sight", ko: "보이지 않는다", ja: "見えていない")
        case .noMenu: Words("no menu opened under a finger", ko: "손가락을 대도 메뉴가 열리지 않았다", ja: "指を置いてもメニューが開かなかった")
        case .menuBeyondScreen: Words("a menu reaches beyond the screen", ko: "메뉴가 화면을 벗어난다", ja: "メニューが画面の外に出る")
        case .menuStays: Words("a tap beside a menu does not close it", ko: "메뉴 옆을 눌러도 닫히지 않는다", ja: "メニューの横をタップしても閉じない")
        case .menusWork: Words("menus stay on the screen and close", ko: "메뉴가 화면 안에 있고 닫힌다", ja: "メニューが画面内に収まり、閉じる")
        case .noDialog: Words("none of the usual keys opened a dialog", ko: "흔한 키로 열리는 대화상자가 없다", ja: "一般的なキーで開くダイアログがない")
        case .dialogIsTrap: Words("a dialog cannot be left", ko: "대화상자에서 나갈 수 없다", ja: "ダイアログから抜けられない")
        case .dialogUntitled:
            Words(
                "a dialog has no title, so that it is announced without a name", ko: "대화상자에 제목이 없어 이름 없이 읽힌다",
                ja: "ダイアログにタイトルがなく、名前なしで読み上げられる")
        case .dialogWithoutParent:
            Words(
                "a second window has no parent, so that it is no dialog for the shell", ko: "두 번째 윈도우에 부모가 없어 셸에는 대화상자가 아니다",
                ja: "2つ目のウインドウに親がなく、シェルにはダイアログではない")
        case .dialogsWork: Words("dialogs have a parent, a title and a way out", ko: "대화상자에 부모, 제목, 나가는 길이 있다", ja: "ダイアログに親、タイトル、出口がある")
        case .menuClosedFirst: Words("its menu closed before the dialog", ko: "대화상자 전에 메뉴가 닫혔다", ja: "ダイアログの前にメニューが閉じた")
        case .shellClosedMenu:
            Words("the shell had to close its menu before the dialog", ko: "대화상자 전에 셸이 메뉴를 닫아야 했다", ja: "ダイアログの前にシェルがメニューを閉じる必要があった")
        case .dialogOverMenu: Words("a dialog stands over an open menu", ko: "열린 메뉴 위에 대화상자가 있다", ja: "開いたメニューの上にダイアログがある")
        case .noDialogOverMenu: Words("no dialog opened over a menu", ko: "메뉴 위로 열린 대화상자가 없다", ja: "メニューの上にダイアログが開かなかった")
        case .presentationFits: Words("the shell noted no mismatch", ko: "셸이 어긋남을 기록하지 않았다", ja: "シェルは不一致を記録しなかった")
        case .presentationDoesNotFit:
            Words("how it presents a modal window does not fit", ko: "모달 윈도우를 보이는 방식이 맞지 않는다", ja: "モーダルウインドウの提示方法が合っていない")
        // Access.
        case .noAccessibilityBus:
            Words(
                "this machine has no accessibility bus (at-spi2-core)", ko: "이 기기에 접근성 버스(at-spi2-core)가 없다",
                ja: "この機器にアクセシビリティバス（at-spi2-core）がない")
        case .exposesNothing: Words("it exposes nothing to assistive technology", ko: "보조 기술에 아무것도 공개하지 않는다", ja: "支援技術に何も公開していない")
        case .noControls: Words("it has no buttons or menu items now", ko: "지금은 버튼이나 메뉴 항목이 없다", ja: "今はボタンやメニュー項目がない")
        case .manyNameless: Words("many of its controls have no name", ko: "많은 컨트롤에 이름이 없다", ja: "多くのコントロールに名前がない")
        case .someNameless: Words("some of its controls have no name", ko: "일부 컨트롤에 이름이 없다", ja: "一部のコントロールに名前がない")
        case .controlsNamed: Words("its controls have names", ko: "컨트롤에 이름이 있다", ja: "コントロールに名前がある")
        case .noExtents: Words("it exposes no control with extents", ko: "크기를 공개한 컨트롤이 없다", ja: "範囲を公開したコントロールがない")
        case .mostTooSmall: Words("most of its controls are too small for a finger", ko: "대부분의 컨트롤이 손가락에 너무 작다", ja: "ほとんどのコントロールが指には小さすぎる")
        case .someTooSmall: Words("some of its controls are too small for a finger", ko: "일부 컨트롤이 손가락에 너무 작다", ja: "一部のコントロールが指には小さすぎる")
        case .largeEnough: Words("its controls are large enough", ko: "컨트롤이 충분히 크다", ja: "コントロールが十分に大きい")
        case .fingersArePointerOnX11:
            Words("X11 programs get fingers as a pointer", ko: "X11 프로그램은 손가락을 포인터로 받는다", ja: "X11プログラムは指をポインタとして受け取る")
        case .pointerOnX11: Words("every X11 program has a pointer", ko: "모든 X11 프로그램에는 포인터가 있다", ja: "すべてのX11プログラムにポインタがある")
        case .noMessages: Words("its library prints no messages", ko: "라이브러리가 메시지를 출력하지 않는다", ja: "ライブラリがメッセージを出力しない")
        case .tabMoves: Words("Tab moves the focus", ko: "탭 키가 포커스를 옮긴다", ja: "Tabがフォーカスを動かす")
        case .tabWrites: Words("Tab writes into a text", ko: "탭 키가 글에 입력된다", ja: "Tabが文字として入力される")
        case .nothingFocusable: Words("it exposes nothing that can have the focus", ko: "포커스를 받을 것을 공개하지 않는다", ja: "フォーカスを受け取れるものを公開していない")
        case .disabledUnknown:
            Words("it does not say which of its controls are disabled", ko: "어느 컨트롤이 꺼져 있는지 알리지 않는다", ja: "どのコントロールが無効かを知らせていない")
        case .oneFocusable: Words("only one object can have the focus", ko: "포커스를 받을 객체가 하나뿐이다", ja: "フォーカスを受け取れるオブジェクトが1つだけ")
        case .tabReachesNothing: Words("Tab reaches none of its controls", ko: "탭 키로 어느 컨트롤에도 닿지 않는다", ja: "Tabでどのコントロールにも到達できない")
        case .tabStays: Words("Tab stays where it is", ko: "탭 키가 제자리에 머문다", ja: "Tabがその場にとどまる")
        case .noActEffect:
            Words("no control had an effect that could be undone", ko: "되돌릴 수 있는 효과가 있는 컨트롤이 없었다", ja: "元に戻せる効果のあるコントロールがなかった")
        case .tapWithoutEffect: Words("a tap has no effect where a click has one", ko: "클릭은 되는데 탭은 효과가 없다", ja: "クリックでは効果があるのに、タップでは効果がない")
        case .clickWithoutEffect:
            Words("a click has no effect where a tap has one", ko: "탭은 되는데 클릭은 효과가 없다", ja: "タップでは効果があるのに、クリックでは効果がない")
        case .tapAndClickSame: Words("a tap and a click do the same", ko: "탭과 클릭이 같은 일을 한다", ja: "タップとクリックが同じことをする")
        case .tapAndClickDiffer: Words("a tap and a click do different things", ko: "탭과 클릭이 다른 일을 한다", ja: "タップとクリックが違うことをする")
        // Look.
        case .noSettings:
            Words("gsettings or its schemas are not installed", ko: "gsettings나 그 스키마가 설치되어 있지 않다", ja: "gsettingsまたはそのスキーマがインストールされていない")
        case .closedInDark: Words("its window closed in the dark appearance", ko: "어두운 화면 모드에서 윈도우가 닫혔다", ja: "ダークの外観でウインドウが閉じた")
        case .alwaysDark: Words("it is dark anyway", ko: "원래 어둡다", ja: "もともと暗い")
        case .becomesDarker: Words("it becomes darker", ko: "어두워진다", ja: "暗くなる")
        case .staysBright: Words("it stays bright in the dark appearance", ko: "어두운 화면 모드에서도 밝은 채로 있다", ja: "ダークの外観でも明るいまま")
        case .closedWithLargeText: Words("its window closed with larger text", ko: "글자를 키우자 윈도우가 닫혔다", ja: "文字を大きくするとウインドウが閉じた")
        case .followsTextSize: Words("it changes with the size of text", ko: "글자 크기에 따라 바뀐다", ja: "文字サイズに従って変わる")
        case .showsNoText: Words("it shows no text now", ko: "지금은 글자가 보이지 않는다", ja: "今は文字を表示していない")
        case .ignoresTextSize: Words("it ignores larger text", ko: "큰 글자를 무시한다", ja: "大きな文字を無視する")
        case .noStartRightToLeft:
            Words("it does not start in a language from right to left", ko: "오른쪽에서 왼쪽으로 쓰는 언어로는 시작하지 않는다", ja: "右から左に書く言語では起動しない")
        case .mirrored: Words("it is mirrored", ko: "좌우가 뒤집힌다", ja: "左右が反転する")
        case .noRightToLeft: Words("it has no language from right to left here", ko: "여기에는 오른쪽에서 왼쪽으로 쓰는 언어가 없다", ja: "ここには右から左に書く言語がない")
        case .noSidedControls:
            Words("it has no controls at a side that could be compared", ko: "비교할 수 있게 한쪽에 놓인 컨트롤이 없다", ja: "比較できる、片側にあるコントロールがない")
        case .notMirrored: Words("its words change, but nothing is mirrored", ko: "글은 바뀌지만 좌우가 뒤집히지 않는다", ja: "言葉は変わるが、左右が反転しない")
        case .partlyMirrored: Words("only a part of it is mirrored", ko: "일부만 뒤집힌다", ja: "一部だけが反転する")
        // Entry.
        case .commandHasNoEntry: Words("a plain command has no desktop entry", ko: "단순한 명령에는 데스크톱 항목이 없다", ja: "単なるコマンドにはデスクトップエントリがない")
        case .invalidEntry: Words("the desktop entry is invalid", ko: "데스크톱 항목이 올바르지 않다", ja: "デスクトップエントリが無効である")
        case .foreignAppID:
            Words(
                "its windows have an app id that the desktop entry does not name", ko: "윈도우의 앱 ID가 데스크톱 항목에 없다",
                ja: "ウインドウのapp idがデスクトップエントリにない")
        case .noAppID: Words("it has no window whose app id could be compared", ko: "앱 ID를 비교할 윈도우가 없다", ja: "app idを比較できるウインドウがない")
        case .entryNamesWindows: Words("the entry names its windows", ko: "항목이 윈도우와 이어진다", ja: "エントリがウインドウに結び付いている")
        case .commandHasNoIcon: Words("a plain command has no icon", ko: "단순한 명령에는 아이콘이 없다", ja: "単なるコマンドにはアイコンがない")
        case .entryNamesNoIcon: Words("the desktop entry names no icon", ko: "데스크톱 항목에 아이콘이 없다", ja: "デスクトップエントリにアイコンの指定がない")
        case .iconMissing: Words("its icon is not installed", ko: "아이콘이 설치되어 있지 않다", ja: "アイコンがインストールされていない")
        case .iconTooSmall:
            Words("its largest icon is too small for a home screen", ko: "가장 큰 아이콘도 홈 화면에는 너무 작다", ja: "最大のアイコンでもホーム画面には小さすぎる")
        case .iconInstalled: Words("its icon is installed", ko: "아이콘이 설치되어 있다", ja: "アイコンがインストールされている")
        case .commandHasNoMetadata: Words("a plain command has no metadata", ko: "단순한 명령에는 메타데이터가 없다", ja: "単なるコマンドにはメタデータがない")
        case .noMetadata: Words("it has no AppStream metadata", ko: "AppStream 메타데이터가 없다", ja: "AppStreamメタデータがない")
        case .hasMetadata: Words("it has AppStream metadata", ko: "AppStream 메타데이터가 있다", ja: "AppStreamメタデータがある")
        case .invalidMetadata: Words("its AppStream metadata has errors", ko: "AppStream 메타데이터에 오류가 있다", ja: "AppStreamメタデータにエラーがある")
        case .noEntryValidator:
            Words(
                "desktop-file-validate is not installed", ko: "desktop-file-validate가 설치되어 있지 않다", ja: "desktop-file-validateがインストールされていない")
        case .noMetadataValidator: Words("appstreamcli is not installed", ko: "appstreamcli가 설치되어 있지 않다", ja: "appstreamcliがインストールされていない")
        // Sound.
        case .noSoundServer:
            Words(
                "no sound server runs (PipeWire and WirePlumber)", ko: "사운드 서버(PipeWire와 WirePlumber)가 실행되고 있지 않다",
                ja: "サウンドサーバ（PipeWireとWirePlumber）が動作していない")
        case .playsNothing: Words("it plays nothing by itself", ko: "스스로 아무것도 재생하지 않는다", ja: "自分からは何も再生しない")
        case .silent: Words("it is silent", ko: "조용하다", ja: "音を出さない")
        case .playsWhatItWasGiven: Words("it plays what it was given", ko: "받은 것을 재생한다", ja: "渡されたものを再生する")
        case .playsGameSound: Words("it plays the sound of a game", ko: "게임 소리를 낸다", ja: "ゲームの音を出す")
        case .playsUnasked: Words("it plays a sound that nobody started", ko: "아무도 시작하지 않은 소리를 낸다", ja: "誰も始めていない音を出す")
        case .purposeUnknown: Words("the purpose of a sound is not known", ko: "소리의 용도를 알 수 없다", ja: "音声の用途が分からない")
        case .purposeKnown: Words("its sound has a purpose", ko: "소리에 용도가 있다", ja: "音声に用途がある")
        case .foregroundSoundRunsOn:
            Words("a sound of the foreground runs on out of sight", ko: "전면에서만 나야 할 소리가 보이지 않아도 계속된다", ja: "前面だけの音声が、見えなくても続く")
        case .backgroundSoundOnly: Words("only sound for the background runs on", ko: "백그라운드용 소리만 계속된다", ja: "バックグラウンド用の音声だけが続く")
        case .playIsMeantForIt:
            Words("it plays already, so that Play is meant for it", ko: "이미 재생 중이므로 재생 버튼의 대상이다", ja: "すでに再生中のため、再生ボタンの対象である")
        case .beginsToPlay:
            Words("it begins to play although it was not playing before", ko: "재생 중이 아니었는데 재생을 시작한다", ja: "再生していなかったのに再生を始める")
        case .staysSilent: Words("it stays silent", ko: "조용히 있는다", ja: "音を出さないまま")
        case .noPlayer:
            Words(
                "pw-cat is not installed, so that nothing else can play", ko: "pw-cat이 설치되어 있지 않아 다른 소리를 낼 수 없다",
                ja: "pw-catがインストールされていないため、ほかの音を出せない")
        case .otherSoundSilent: Words("the other sound did not play", ko: "다른 소리가 나지 않았다", ja: "ほかの音が鳴らなかった")
        case .playsOverOther: Words("it plays again before the other sound ends", ko: "다른 소리가 끝나기 전에 다시 재생한다", ja: "ほかの音が終わる前に再び再生する")
        case .silentAfterInterruption: Words("it stays silent after a short interruption", ko: "짧은 중단 뒤에도 조용히 있다", ja: "短い割り込みの後も音を出さない")
        case .playsUnheard:
            Words("it plays on while it is not heard, so that people miss it", ko: "들리지 않는데도 재생이 계속되어 사람이 놓친다", ja: "聞こえないのに再生が進み、聞き逃す")
        case .givesWay: Words("it gives way and resumes", ko: "자리를 내주고 다시 잇는다", ja: "譲ってから再開する")
        case .noHeadphones:
            Words(
                "pw-cli is not installed, or the shell did not use the headphones", ko: "pw-cli가 없거나 셸이 헤드폰을 쓰지 않았다",
                ja: "pw-cliがないか、シェルがヘッドホンを使わなかった")
        case .headphonesStay: Words("the headphones could not be pulled out", ko: "헤드폰을 뽑을 수 없었다", ja: "ヘッドホンを抜けなかった")
        case .heardFromSpeaker:
            Words(
                "it is heard from the speaker after headphones were pulled out", ko: "헤드폰을 뽑은 뒤 스피커로 소리가 난다", ja: "ヘッドホンを抜いた後、スピーカーから聞こえる")
        case .stopsWhenPlugged: Words("it stops when headphones are plugged in", ko: "헤드폰을 꽂으면 멈춘다", ja: "ヘッドホンを差し込むと止まる")
        case .pausesAndWaits: Words("it pauses and waits", ko: "일시 정지하고 기다린다", ja: "一時停止して待つ")
        case .urgentNotice: Words("an urgent notification that nobody asked for", ko: "아무도 요청하지 않은 긴급 알림", ja: "求められていない緊急の通知")
        case .unaskedNotice: Words("a notification that nobody asked for", ko: "아무도 요청하지 않은 알림", ja: "求められていない通知")
        case .notifiedOfNothing: Words("it notified of nothing", ko: "아무것도 알리지 않았다", ja: "何も通知しなかった")
        case .filesUnknown:
            Words(
                "no package of dpkg has it, and it has no folder of its own, so that its files are not known",
                ko: "dpkg 패키지에도 없고 자기 폴더도 없어 파일을 알 수 없다", ja: "dpkgのパッケージになく、固有のフォルダもないため、ファイルが分からない")
        case .noAudioFiles: Words("its package has no audio files", ko: "패키지에 오디오 파일이 없다", ja: "パッケージにオーディオファイルがない")
        case .soundsSmall: Words("its sounds are short or compressed", ko: "소리가 짧거나 압축되어 있다", ja: "音声が短いか、圧縮されている")
        case .soundsLarge: Words("long sounds are in other formats than AAC", ko: "긴 소리가 AAC가 아닌 형식이다", ja: "長い音声がAAC以外の形式である")
        // Parts of evidence.
        case .windowClosed: Words("the window closed", ko: "윈도우가 닫힘", ja: "ウインドウが閉じた")
        case .notAnswered: Words("not answered", ko: "답하지 않음", ja: "応答なし")
        case .afterTyping: Words("after a word was typed", ko: "단어를 입력한 뒤", ja: "単語の入力後")
        case .afterStart: Words("right after the start", ko: "시작 직후", ja: "起動直後")
        case .stillThere: Words("still there after 5 s", ko: "5초 뒤에도 남아 있음", ja: "5秒後も残っている")
        case .closed: Words("closed", ko: "닫힘", ja: "閉じた")
        case .asked: Words("asked", ko: "물어봄", ja: "尋ねた")
        case .declared: Words("declared", ko: "선언됨", ja: "宣言あり")
        }
    }

    private func said(_ text: String, _ words: String?) -> String { words.map { "\(text): \($0)" } ?? text }

    /// A reason to run out of sight, as the shell's report names its kind.
    private static func reason(_ kind: String) -> Words {
        switch kind {
        case "sound": Words(kind, ko: "소리", ja: "音声")
        case "recording": Words(kind, ko: "녹음", ja: "録音")
        case "call": Words(kind, ko: "통화", ja: "通話")
        case "task": Words(kind, ko: "작업", ja: "タスク")
        default: Words(kind, ko: kind, ja: kind)
        }
    }
}
