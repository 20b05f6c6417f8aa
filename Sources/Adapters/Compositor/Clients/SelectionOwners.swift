import CWlroots
import WaylandServer

/// Reports the process whose clipboard, primary selection or drag another client wants. A frozen process has to be thawed
/// before it can hand over the data.
final class SelectionOwners {
    private unowned let compositor: Compositor
    /// Processes of owners that were asked in this turn of the loop.
    private var asked: Set<Int32> = []
    private var isX11Asked = false
    private var telling: AfterTurn?

    init(_ context: Protocols.Context, _ compositor: Compositor) {
        self.compositor = compositor
        // libwayland is sending the event right now, and the shell may send others.
        telling = AfterTurn(context.loop) { [unowned self] in tell() }
    }

    func wanted(from owner: SelectionOwner) {
        switch owner {
        case .process(let process) where process > 0: asked.insert(process)
        case .process: return
        case .x11: isX11Asked = true
        }
        telling?.ask()
    }

    fileprivate func wanted(from client: WaylandClient?) {
        let process = Clients.process(of: client)
        guard process > 0 else { return }
        asked.insert(process)
        telling?.ask()
    }

    fileprivate func wantedFromX11() {
        isX11Asked = true
        telling?.ask()
    }

    private func tell() {
        let (processes, isX11) = (asked, isX11Asked)
        (asked, isX11Asked) = ([], false)
        for process in processes.sorted() { compositor.onOwnerAsked(.process(process)) }
        if isX11 { compositor.onOwnerAsked(.x11) }
    }
}

/// The owners that are asked for copied or dragged data.
public enum SelectionOwner: Hashable, Sendable {
    case process(Int32)
    /// Some X11 program: only the X server knows which one.
    case x11
}

@_cdecl("mw_owner_asked") func ownerAsked(_ server: OpaquePointer, _ client: OpaquePointer?) {
    Compositor.of(server).protocols?.selectionOwners.wanted(from: client)
}

@_cdecl("mw_x11_owner_asked") func x11OwnerAsked(_ server: OpaquePointer) {
    Compositor.of(server).protocols?.selectionOwners.wantedFromX11()
}
