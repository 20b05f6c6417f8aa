import Control
import Geometry
import Windows

extension Check {
    static let overPopover = Check(
        "dialog-over-popover", rules: ["M-11"], weight: 4,
        title: Words("Closes menus before a dialog comes", ko: "대화상자 전에 메뉴를 닫는다", ja: "ダイアログの前にメニューを閉じる"),
        does: Words(
            "Holds a finger on the window until a menu opens, and presses keys that open a dialog (Ctrl+O, F1).",
            ko: "메뉴가 열릴 때까지 윈도우를 손가락으로 누르고, 대화상자를 여는 키(Ctrl+O, F1)를 누른다.",
            ja: "メニューが開くまでウインドウを指で押し、ダイアログを開くキー（Ctrl+O、F1）を押す。"),
        counts: Words(
            "Broken: the menu is still open a second after the dialog came. Warning: the shell had to close it. Not applicable: no menu opens, or no dialog opens "
                + "over it.",
            ko: "어김: 대화상자가 나온 지 1초 뒤에도 메뉴가 열려 있다. 주의: 셸이 메뉴를 닫아야 했다. 해당 없음: 메뉴가 열리지 않거나, 그 위로 대화상자가 열리지 않는다.",
            ja: "破っている: ダイアログが出て1秒後もメニューが開いている。注意: シェルがメニューを閉じる必要があった。該当なし: メニューが開かないか、その上にダイアログが開かない。"),
        mend: Words(
            "Close popovers and menus before you show a dialog.", ko: "대화상자를 보이기 전에 팝오버와 메뉴를 닫으십시오.",
            ja: "ダイアログを表示する前にポップオーバーとメニューを閉じます。")
    ) { visit in
        for keys in visit.isQuick ? ["Ctrl+o"] : ["Ctrl+o", "F1"] {
            let window = try visit.window()
            guard let frame = window.picture else { throw Untold(.notInSight) }
            let before = Set(try visit.windows().map(\.id))
            var bounds: Rect?
            func follow() -> Rect? {
                for event in visit.room.events() { if let found = popup(event) { bounds = found } }
                return bounds
            }
            visit.room.skipEvents()
            try? visit.client.input(.tap(at: Point(frame.maxX - 60, frame.maxY - 60), hold: 900))
            guard try visit.wait(1.2, { !(follow()?.isEmpty ?? true) }) else { throw Untold(.noMenu, .notApplicable) }
            visit.room.skipTrace()
            visit.press(keys)
            var dialog: WindowReport?
            try visit.wait(1.5, every: 0.1) {
                dialog = try visit.windows().first { !before.contains($0.id) }
                return dialog != nil
            }
            var found: Finding?
            if dialog != nil {
                let isClosed = try visit.wait(1) { follow()?.isEmpty ?? true }
                found = judge(
                    menuClosed: isClosed, byShell: wasDismissed(visit.room.trace()), keys: keys,
                    pictures: isClosed ? [] : visit.keepPicture("dialog-over-popover"))
            }
            if let dialog { try visit.leave(dialog) }
            visit.press("Escape")
            // Menus for fingers do not all know that key.
            try? visit.client.input(.tap(at: Point(frame.minX + 30, frame.center.y)))
            visit.settle(600)
            if let dialog, try visit.state()[dialog.id] != nil { try visit.endApp() }
            if let found { return [found] }
        }
        return [Finding(.notApplicable, .noDialogOverMenu)]
    }

    /// Whether the shell told the app that its menu is over before the app ended it.
    static func wasDismissed(_ trace: Trace) -> Bool {
        let ends = trace.lines.filter { $0.interface == "xdg_popup" && ["popup_done", "destroy"].contains($0.name) }
        return ends.first.map { !$0.isRequest } ?? false
    }

    static func judge(menuClosed isClosed: Bool, byShell: Bool, keys: String, pictures: [String] = []) -> Finding {
        let evidence = [Phrase.menuThen(keys: keys)]
        if !isClosed { return Finding(.broken, part: "stays", .dialogOverMenu, evidence: evidence, pictures: pictures) }
        return byShell
            ? Finding(.warning, part: "shell", .shellClosedMenu, evidence: evidence)
            : Finding(.kept, .menuClosedFirst, evidence: evidence)
    }
}
